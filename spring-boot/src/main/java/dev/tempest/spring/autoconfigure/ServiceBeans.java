package dev.tempest.spring.autoconfigure;

import dev.tempest.spring.TempestService;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** For each {@link TempestService} a bean: a client of it, which hosts the service first. */
final class ServiceBeans implements ImportBeanDefinitionRegistrar {
  private final BeanFactory beans;
  private final Environment environment;
  private final ResourceLoader loader;

  /** Spring gives it what it needs. */
  ServiceBeans(BeanFactory beans, Environment environment, ResourceLoader loader) {
    this.beans = beans;
    this.environment = environment;
    this.loader = loader;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    if (!AutoConfigurationPackages.has(beans)) {
      return;
    }
    var scanner = new ClassPathScanningCandidateComponentProvider(false, environment);
    scanner.setResourceLoader(loader);
    scanner.addIncludeFilter(new AnnotationTypeFilter(TempestService.class));
    for (String base : AutoConfigurationPackages.get(beans)) {
      for (var candidate : scanner.findCandidateComponents(base)) {
        register(
            ClassUtils.resolveClassName(
                String.valueOf(candidate.getBeanClassName()), loader.getClassLoader()),
            registry);
      }
    }
  }

  /** Never lazily: a node that hosts nothing until somebody calls it is no replica. */
  private static void register(Class<?> type, BeanDefinitionRegistry registry) {
    RootBeanDefinition client = new RootBeanDefinition(ServiceClient.class);
    Class<?> api = ServiceClient.interfaceOf(type);
    client.setTargetType(ResolvableType.forClassWithGenerics(ServiceClient.class, api));
    // Else Spring makes the bean to learn its type, and a node joins before the check of
    // properties.
    client.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, api);
    client.getConstructorArgumentValues().addIndexedArgumentValue(0, type);
    client.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
    client.setLazyInit(false);
    registry.registerBeanDefinition(type.getAnnotation(TempestService.class).value(), client);
  }
}
