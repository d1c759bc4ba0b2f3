package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import dev.tempest.spring.test.TestCluster;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/** The cluster of a test, in place of the node of the application. */
@AutoConfiguration(before = TempestAutoConfiguration.class)
public final class TestClusterAutoConfiguration {
  @Bean
  static OpenTestCluster tempestTestNodes(
      Environment environment,
      ResourceLoader loader,
      @Value("${spring.test.tempest.nodes:1}") int nodes) {
    return NodeThreads.with(
        loader.getClassLoader(), () -> OpenTestCluster.join(environment, nodes));
  }

  @Bean
  static TestCluster tempestTestCluster(OpenTestCluster open) {
    return new TestCluster(open.nodes());
  }

  @Bean(destroyMethod = "close")
  static Node tempestNode(OpenTestCluster open) {
    return open.nodes().getFirst();
  }

  @Bean
  static FurtherNodes tempestFurtherNodes(OpenTestCluster open) {
    return new FurtherNodes(open.nodes().subList(1, open.nodes().size()));
  }
}
