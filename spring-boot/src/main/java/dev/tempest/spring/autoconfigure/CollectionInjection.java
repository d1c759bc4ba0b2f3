package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import dev.tempest.spring.Tempest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.ContextAnnotationAutowireCandidateResolver;

/**
 * Gives injection points with {@link Tempest} their collection. Spring would gather all beans of a
 * type for a set or a list, and so is not asked.
 */
final class CollectionInjection extends ContextAnnotationAutowireCandidateResolver {
  private final ConfigurableListableBeanFactory beans;

  private CollectionInjection(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  static void enable(ConfigurableListableBeanFactory beans) {
    if (beans instanceof DefaultListableBeanFactory factory) {
      factory.setAutowireCandidateResolver(new CollectionInjection(beans));
    }
  }

  @Override
  public @Nullable Object getLazyResolutionProxyIfNecessary(
      DependencyDescriptor point, @Nullable String beanName) {
    Tempest collection = point.getAnnotation(Tempest.class);
    if (collection == null) {
      return super.getLazyResolutionProxyIfNecessary(point, beanName);
    }
    if (beanName != null) { // Which is destroyed before the node leaves.
      for (String node : beans.getBeanNamesForType(Node.class)) {
        beans.registerDependentBean(node, beanName);
      }
    }
    return CollectionType.of(point.getResolvableType())
        .declare(beans.getBean(Node.class), collection.value());
  }
}
