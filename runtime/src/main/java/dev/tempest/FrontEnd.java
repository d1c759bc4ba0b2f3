package dev.tempest;

import dev.tempest.wire.Message.Description;
import dev.tempest.wire.Message.MethodDescription;
import dev.tempest.wire.Message.Snapshot;
import dev.tempest.wire.Message.Status;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls services. One per process is enough; it is not a member of the cluster.
 *
 * <p>A request is sent again under the same name until it is answered or the deadline has passed,
 * and is executed once however often it was sent.
 *
 * <p>Thread-safe.
 */
public final class FrontEnd implements AutoCloseable {

  private FrontEnd() {}

  /**
   * Opens a front-end. Nothing is sent yet: the servers may start later.
   *
   * @throws java.io.UncheckedIOException if no socket can be opened
   * @throws IllegalArgumentException if a server is not {@code host:port} of a known host
   */
  public static FrontEnd connect(FrontEndConfig config) {
    throw new UnsupportedOperationException("in work");
  }

  /** A client of the service that is named as {@code api}'s simple name. */
  public <S> S service(Class<S> api) {
    return service(api.getSimpleName(), api);
  }

  /**
   * A client of a service: each call on it is a request, and returns what the service's method
   * returned.
   *
   * <p>A call throws {@link ServiceException} if the method threw, {@link UnableException} if it
   * was not executed, {@link UnknownOutcomeException} if that is not known. An interrupted caller
   * stops waiting: its thread stays interrupted and the outcome is unknown.
   *
   * @param api an interface whose methods are marked {@link dev.tempest.service.Update} or {@link
   *     dev.tempest.service.Read}
   */
  public <S> S service(String name, Class<S> api) {
    throw new UnsupportedOperationException("in work");
  }

  /**
   * Makes one call and returns how it ended in place of throwing.
   *
   * @param client a client that {@link #service} returned
   * @param call makes exactly one call on the client it is given and returns the result: {@code
   *     cart -> cart.check("17850", "85123A")}
   */
  public <S, R> Outcome<R> outcome(S client, Function<? super S, ? extends @Nullable R> call) {
    throw new UnsupportedOperationException("in work");
  }

  /**
   * Makes one call without waiting for it. The future never completes exceptionally.
   *
   * <p>What depends on the future runs on the thread that received the answer: it must not block,
   * for no other answer is received meanwhile.
   *
   * @param client a client that {@link #service} returned
   * @param call as for {@link #outcome}
   */
  public <S, R> CompletableFuture<Outcome<R>> async(
      S client, Function<? super S, ? extends @Nullable R> call) {
    throw new UnsupportedOperationException("in work");
  }

  /**
   * Calls a method known only by its description, for tools.
   *
   * @param arguments of the types that the description declares
   */
  public Outcome<Object> call(
      String service, MethodDescription method, @Nullable Object... arguments) {
    throw new UnsupportedOperationException("in work");
  }

  /**
   * The methods of a service, from the first server that hosts it; a description without methods,
   * listing what is hosted, if none does.
   *
   * @throws UnknownOutcomeException if no server answers before the deadline
   */
  public Description describe(String service) {
    throw new UnsupportedOperationException("in work");
  }

  /**
   * How each server is, in the order of the configuration; without those that do not answer within
   * the deadline.
   */
  public Map<String, Status> status() {
    throw new UnsupportedOperationException("in work");
  }

  /**
   * The whole state of a service at one server, for tools that compare.
   *
   * @param server one of the configuration's, as {@code host:port}
   * @throws UnknownOutcomeException if it does not answer before the deadline
   * @throws UnableException if it has no state
   */
  public Snapshot state(String service, String server) {
    throw new UnsupportedOperationException("in work");
  }

  /** Closes the sockets. Requests under way end as unknown. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("in work");
  }
}
