/** Sessions that all processes share, in Apache Tomcat. */
@org.jspecify.annotations.NullMarked
module dev.tempest.sessions.tomcat {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.sessions;
  requires transitive org.apache.tomcat.embed.core;

  exports dev.tempest.sessions.tomcat;
}
