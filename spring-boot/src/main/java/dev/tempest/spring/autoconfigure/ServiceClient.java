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
import java.util.function.Consumer;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/**
 * Hosts a {@link TempestService} at the node, and is the client of it that other beans get.
 *
 * @param <S> its interface
 */
final class ServiceClient<S> implements FactoryBean<S> {
  private final Class<S> api;
  private final S client;

  /**
   * Hosts it.
   *
   * @param type has the annotation
   * @throws IllegalArgumentException if it cannot be hosted; the message says why
   */
  @SuppressWarnings("unchecked") // The class implements it.
  ServiceClient(
      Class<?> type, Node node, FrontEnd frontEnd, ObjectProvider<FurtherNodes> furtherNodes) {
    TempestService service = type.getAnnotation(TempestService.class);
    api = (Class<S>) interfaceOf(type);
    Constructor<?> constructor = constructorOf(type);
    Consumer<Node> hosting =
        at ->
            at.host(
                service.value(),
                api,
                state -> api.cast(BeanUtils.instantiateClass(constructor, state)),
                optionsOf(service));
    FurtherNodes further = furtherNodes.getIfAvailable();
    if (further == null) {
      WhileStarting.run(() -> hosting.accept(node), node::close);
    } else {
      further.withAll(node, hosting);
    }
    client = frontEnd.service(service.value(), api);
  }

  @Override
  public S getObject() {
    return client;
  }

  @Override
  public Class<S> getObjectType() {
    return api;
  }

  private static ServiceOptions optionsOf(TempestService service) {
    ServiceOptions.Builder options = ServiceOptions.builder().consistency(service.consistency());
    Arrays.stream(service.execute()).forEach(options::execute);
    Arrays.stream(service.reads()).forEach(options::reads);
    return options.build();
  }

  /** The one whose methods are called. */
  static Class<?> interfaceOf(Class<?> type) {
    List<Class<?>> found =
        ClassUtils.getAllInterfacesForClassAsSet(type).stream()
            .filter(ServiceClient::hasServiceMethods)
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
