package dev.tempest.spring.autoconfigure;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import dev.tempest.Tempest;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Joins the cluster when the application starts: the properties {@code tempest.*} are the keys of
 * {@code tempest.yaml}, and go before it. The node leaves when the application context closes:
 * after the last request, since Spring destroys beans when its web server has drained.
 */
@AutoConfiguration
@Import(ServiceBeans.class)
public final class TempestAutoConfiguration {
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  static Node tempestNode(Environment environment, ResourceLoader loader) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // Else the node's threads, which go on after the web server, would hold on to that one's
    // loader.
    thread.setContextClassLoader(loader.getClassLoader());
    try {
      return Tempest.join(NodeProperties.configOf(environment));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  static FrontEnd tempestFrontEnd(Node node) {
    return node.frontEnd();
  }

  @Bean
  static BeanFactoryPostProcessor tempestCollections() {
    return CollectionInjection::enable;
  }
}
