package dev.tempest.spring.autoconfigure;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import dev.tempest.config.ServiceOptions;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.spring.TempestService;
import dev.tempest.state.State;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
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

  private void register(Class<?> type, BeanDefinitionRegistry registry) {
    TempestService service = type.getAnnotation(TempestService.class);
    register(service, interfaceOf(type), constructorOf(type), registry);
  }

  private <S> void register(
      TempestService service,
      Class<S> api,
      Constructor<?> constructor,
      BeanDefinitionRegistry registry) {
    registry.registerBeanDefinition(
        service.value(),
        new RootBeanDefinition(
            api,
            () -> {
              beans
                  .getBean(Node.class)
                  .host(
                      service.value(),
                      api,
                      state -> api.cast(BeanUtils.instantiateClass(constructor, state)),
                      optionsOf(service));
              return beans.getBean(FrontEnd.class).service(service.value(), api);
            }));
  }

  private static ServiceOptions optionsOf(TempestService service) {
    ServiceOptions.Builder options = ServiceOptions.builder().consistency(service.consistency());
    Arrays.stream(service.execute()).forEach(options::execute);
    Arrays.stream(service.reads()).forEach(options::reads);
    return options.build();
  }

  private static Class<?> interfaceOf(Class<?> type) {
    List<Class<?>> found =
        ClassUtils.getAllInterfacesForClassAsSet(type).stream()
            .filter(ServiceBeans::hasServiceMethods)
            .toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "%s must implement one interface with methods marked @Update or @Read, not %d"
              .formatted(type.getName(), found.size()));
    }
    return found.getFirst();
  }

  private static boolean hasServiceMethods(Class<?> api) {
    return Arrays.stream(api.getMethods())
        .anyMatch(method ->
            method.isAnnotationPresent(Update.class) || method.isAnnotationPresent(Read.class));
  }

  private static Constructor<?> constructorOf(Class<?> type) {
    try {
      return type.getDeclaredConstructor(State.class);
    } catch (NoSuchMethodException missing) {
      throw new IllegalArgumentException(
          "%s needs a constructor that takes a %s".formatted(type.getName(), State.class.getName()),
          missing);
    }
  }
}
