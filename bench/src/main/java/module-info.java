/** Benchmarks: floors, ratios, pictures. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // Those of other people have no module descriptors.
module dev.tempest.bench {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.cli;
  requires transitive dev.tempest.examples;
  requires transitive dev.tempest.simulator;
  requires com.hazelcast.core;
  requires java.desktop;
  requires java.management;
  requires jdk.management;
  requires HdrHistogram;
  requires info.picocli;
  requires lettuce.core;
  requires org.apache.tomcat.embed.core;
  requires org.jgroups;
  requires org.jgroups.raft;
  requires xchart;

  opens dev.tempest.bench to
      info.picocli;

  provides dev.tempest.cli.ExtraCommand with
      dev.tempest.bench.BenchCommand;
}
