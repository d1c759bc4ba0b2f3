package dev.tempest.service.execution;

import dev.tempest.state.ReadOnlyException;
import dev.tempest.state.versioned.SlowCode;
import dev.tempest.state.versioned.UnreadableValueException;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.FullMemory;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.values.encoding.UserCode;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The methods of one object of a service class. Each runs from the bytes of its arguments to those
 * of its result, in the action of the calling thread. Thread-safe.
 */
final class Methods {
  /** The most characters of what is said about an exception or bad arguments. */
  private static final int TEXT_CHARS_MAX = 1_000;

  private final ServiceInterface description;
  private final SlowCode slow;

  /** In the order of the interface's methods; each from an Object[] to an Object. */
  private final MethodHandle[] handles;

  /** What a method threw and does not declare; null if that was taken, or there was nothing. */
  private volatile ServiceInstance.@Nullable Thrown undeclared;

  Methods(ServiceInterface description, Object service, SlowCode slow) {
    this.description = description;
    this.slow = slow;
    List<ServiceMethod> methods = description.methods();
    this.handles = new MethodHandle[methods.size()];
    for (int i = 0; i < handles.length; i++) {
      handles[i] = handle(methods.get(i).method(), service);
    }
  }

  /** A call whose arguments have been made. */
  static final class Prepared {
    private final int index;
    private final @Nullable Object[] arguments;
    private final long beganNanos;

    private Prepared(int index, @Nullable Object[] arguments, long beganNanos) {
      this.index = index;
      this.arguments = arguments;
      this.beganNanos = beganNanos;
    }
  }

  /**
   * Makes the arguments of a call; their constructors are of users.
   *
   * @param index in the order of the interface's methods
   * @throws MalformedException if the bytes are not the arguments of that method
   */
  Prepared prepare(int index, Bytes arguments) {
    ServiceMethod method = description.methods().get(index);
    long beganNanos = slow.calls(method.name());
    boolean done = false;
    try {
      @Nullable Object[] made = method.decode(arguments);
      done = true;
      return new Prepared(index, made, beganNanos);
    } finally {
      if (!done) {
        slow.called(method.name(), beganNanos);
      }
    }
  }

  /** The bytes were not the arguments of a method. */
  Result malformed(int index, MalformedException malformed) {
    ServiceMethod method = description.methods().get(index);
    return new Result.BadArguments(shortened(method + ": " + malformed.getMessage()));
  }

  /**
   * Runs a method, up to the bytes of its result: so one that has none leaves nothing. Whatever it
   * throws is a result; what it wrote is for the caller to drop.
   */
  Result run(Prepared call) {
    ServiceMethod method = description.methods().get(call.index);
    try {
      return invoke(call, method);
    } catch (Exception | Error thrown) {
      return failed(method, thrown);
    }
  }

  /** A method has thrown something, or what it wrote cannot be read or cannot travel. */
  Result failed(ServiceMethod method, Throwable thrown) {
    return switch (thrown) {
      case UnreadableValueException unreadable ->
          new Result.Unreadable(shortened(method + ": " + unreadable.getMessage()));
      case ReadOnlyException wrote when !method.isUpdate() ->
          new Result.Threw(
              ReadOnlyException.class.getName(),
              method + " is marked @Read and writes: mark it @Update");
      default -> threw(method, thrown);
    };
  }

  private Result invoke(Prepared call, ServiceMethod method) throws Exception {
    @Nullable Object[] arguments = call.arguments;
    Object value;
    try {
      value = (Object) handles[call.index].invokeExact(arguments);
    } catch (Exception | Error thrown) {
      throw thrown;
    } catch (Throwable neither) {
      throw new IllegalStateException(method + " threw neither an Exception nor an Error", neither);
    } finally {
      slow.called(method.name(), call.beganNanos);
    }
    return new Result.Returned(method.encodeResult(value));
  }

  private Result threw(ServiceMethod method, Throwable thrown) {
    Class<?> declared = method.exceptions().nearest(thrown);
    if (declared == null && undeclared == null) {
      undeclared = new ServiceInstance.Thrown(method, thrown);
    }
    String name = thrown.getClass().getName();
    String message = message(method, thrown);
    return declared == null || declared == thrown.getClass()
        ? new Result.Threw(shortened(name), shortened(message))
        : new Result.Threw(shortened(declared.getName()), shortened(name + ": " + message));
  }

  /** Another server may have the memory that this one had not. */
  private static String message(ServiceMethod method, Throwable thrown) {
    String message = UserCode.message(thrown);
    if (!FullMemory.isMetBy(thrown)) {
      return message;
    }
    return message
        + (method.isUpdate()
            ? ". This server had not enough memory for it; at other servers the update may count"
            : ". This server had not enough memory for it; others may have");
  }

  /** As {@link ServiceInstance#takeUndeclared}. */
  ServiceInstance.@Nullable Thrown takeUndeclared() {
    ServiceInstance.Thrown taken = undeclared;
    if (taken != null) {
      undeclared = null;
    }
    return taken;
  }

  /**
   * There is no such method.
   *
   * @param kind of the one that was asked for
   */
  Result unknown(int number, String kind) {
    ServiceMethod known = description.method(number);
    String detail =
        known == null
            ? "%s has no method with the number %08x: do the caller and the service use the same interface?"
                .formatted(description.type().getSimpleName(), number)
            : known + " is not " + kind + ": do the caller and the service use the same interface?";
    return new Result.UnknownMethod(detail);
  }

  /** Not longer than is sent. */
  static String shortened(String text) {
    return text.length() <= TEXT_CHARS_MAX ? text : text.substring(0, TEXT_CHARS_MAX - 3) + "...";
  }

  private static MethodHandle handle(Method method, Object service) {
    String denied =
        "%s is not accessible: make the interface public in an exported package, or open %s to %s"
            .formatted(
                method,
                method.getDeclaringClass().getPackageName(),
                ServiceInstance.class.getModule().getName());
    if (!method.trySetAccessible()) {
      throw new IllegalArgumentException(denied);
    }
    try {
      return MethodHandles.lookup()
          .unreflect(method)
          .bindTo(service)
          .asSpreader(Object[].class, method.getParameterCount())
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (IllegalAccessException notAccessible) {
      throw new IllegalArgumentException(denied, notAccessible);
    }
  }
}
