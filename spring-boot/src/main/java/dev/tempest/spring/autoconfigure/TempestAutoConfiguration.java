package dev.tempest.spring.autoconfigure;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.Map;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Joins the cluster when the application starts: the properties {@code tempest.*} are the keys of
 * {@code tempest.yaml}, and take precedence over it. The node leaves when the application context
 * closes: after the last request, since Spring destroys beans when its web server has drained.
 */
@AutoConfiguration
@Import(ServiceBeans.class)
public final class TempestAutoConfiguration {
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  static Node tempestNode(Environment environment, ResourceLoader loader) {
    NodeConfig config = NodeProperties.configOf(environment, Map.of());
    Thread joining = Thread.currentThread();
    return NodeThreads.with(
        loader.getClassLoader(),
        () -> WhileStarting.get(() -> Tempest.join(config), joining::interrupt));
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  static FrontEnd tempestFrontEnd(Node node) {
    return node.frontEnd();
  }

  /** Nor is a node of the application's own. */
  @Bean
  static LazyInitializationExcludeFilter tempestNodeIsNotLazy() {
    return LazyInitializationExcludeFilter.forBeanTypes(Node.class);
  }

  @Bean
  static BeanFactoryPostProcessor tempestPostProcessor(Environment environment) {
    return beans -> {
      KnownProperties.refuseOthers(environment, beans);
      CollectionInjection.enable(beans);
    };
  }
}
