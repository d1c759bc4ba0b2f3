/** JCache (javax.cache) over the collections of a node. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // JCache is no module.
module dev.tempest.jcache {
  requires static transitive org.jspecify;
  requires transitive cache.api;
  requires transitive dev.tempest.runtime;
  requires java.management;

  exports dev.tempest.jcache;

  opens dev.tempest.jcache to
      dev.tempest.values;

  provides javax.cache.spi.CachingProvider with
      dev.tempest.jcache.TempestCachingProvider;
}
