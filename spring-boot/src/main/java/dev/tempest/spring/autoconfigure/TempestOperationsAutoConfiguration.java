package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import dev.tempest.config.ConfigException;
import dev.tempest.operations.NodeMetrics;
import dev.tempest.operations.OperationsServlet;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * With {@code tempest-operations} in the class path the node's meters are among those of
 * Micrometer; and where {@code tempest.operations.path} says there is a dashboard, with what {@link
 * OperationsServlet} has beside it.
 */
@AutoConfiguration(after = TempestAutoConfiguration.class)
@ConditionalOnClass(NodeMetrics.class)
public final class TempestOperationsAutoConfiguration {
  private static final String PATH = "tempest.operations.path";

  @Bean
  @ConditionalOnMissingBean
  static NodeMetrics tempestMetrics(Node node) {
    return new NodeMetrics(node.monitor());
  }

  /** Only where it is asked for: it has no password. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnProperty(PATH)
  static final class Pages {
    @Bean
    static ServletRegistrationBean<OperationsServlet> tempestOperations(
        Node node, Environment environment) {
      String path = environment.getRequiredProperty(PATH);
      if (!path.isEmpty() && (!path.startsWith("/") || path.endsWith("/"))) {
        throw new ConfigException(
            "property " + PATH, "'" + path + "' is no path", "write one such as /tempest");
      }
      ServletRegistrationBean<OperationsServlet> pages =
          new ServletRegistrationBean<>(new OperationsServlet(node.monitor()), path + "/*");
      pages.setEnabled(!path.isEmpty()); // An empty value is none.
      return pages;
    }
  }
}
