package dev.tempest.runtime.service;

import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.config.ServiceOptions.Reconcile;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.protocol.order.Views;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import java.util.function.Function;

/**
 * A service that a node is to host.
 *
 * @param name by which front-ends ask for it
 * @param service only the node's event loop calls it from now on
 * @param order how its replicas are kept alike
 */
public record Deployment(String name, ServiceInstance service, Order order) {
  /**
   * A service that {@code factory} makes.
   *
   * @throws IllegalArgumentException if there can be no such service, or it is not deterministic
   *     and all replicas are to execute it
   */
  public static <S> Deployment of(
      String name, Class<S> api, Function<State, ? extends S> factory, ServiceOptions options) {
    ServiceConfig.checkName(name);
    ServiceInstance service = ServiceInstance.of(api, factory);
    String complaint = Determinism.complaint(name, service.implementation(), options);
    if (complaint != null) {
      throw new IllegalArgumentException(
          complaint
              + "\n"
              + "Correct the code. If nothing of it enters the state, name the class or its package"
              + " in ServiceOptions.builder().unchecked(...) instead; or choose Execute.ANY, of a"
              + " linearizable service Execute.LEADER, if one node is to execute each update");
    }
    return of(name, service, options);
  }

  static Deployment of(String name, ServiceInstance service, ServiceOptions options) {
    return new Deployment(name, service, order(options));
  }

  /** How these options keep replicas alike. */
  public static Order order(ServiceOptions options) {
    return switch (options.consistency()) {
      case EVENTUAL ->
          Order.EVENTUAL
              .withAdopts(options.reconcile() == Reconcile.ADOPT)
              .withExecutesAny(options.execute() == Execute.ANY);
      case LINEARIZABLE ->
          new Order.ByConsensus(
                  executes(options), reads(options.reads()), Order.ByConsensus.Log.MEMORY)
              .withBallots(ballots(options));
      case PRIMARY_BACKUP ->
          new Order.ByConsensus(
              executes(options), reads(options.reads()), Order.ByConsensus.Log.MEMORY, Quorum.ALL);
    };
  }

  /** The order of linearizable collections. */
  public static Order ofCollections(Reads reads) {
    return new Order.ByConsensus(
        Order.ByConsensus.Executes.LEADER, reads(reads), Order.ByConsensus.Log.MEMORY);
  }

  /** The view service, without which nobody knows who is primary. */
  public static Deployment ofViews() {
    ServiceInstance views = ServiceInstance.of(Views.class, Views.Service::new);
    return new Deployment(Views.NAME, views, Order.LINEARIZABLE);
  }

  /** Whether it is {@link #ofViews}: it is in memory, as is all that it says something of. */
  public boolean isOfViews() {
    return name.equals(Views.NAME);
  }

  private static Order.ByConsensus.Executes executes(ServiceOptions options) {
    return switch (options.execute()) {
      case LEADER -> Order.ByConsensus.Executes.LEADER;
      case ANY -> Order.ByConsensus.Executes.ANY;
      case ALL -> Order.ByConsensus.Executes.ALL;
    };
  }

  private static Order.ByConsensus.Ballots ballots(ServiceOptions options) {
    return switch (options.ballots()) {
      case CLASSIC -> Order.ByConsensus.Ballots.CLASSIC;
      case FAST -> Order.ByConsensus.Ballots.FAST;
    };
  }

  private static Order.ByConsensus.Reads reads(Reads reads) {
    return switch (reads) {
      case LINEARIZABLE -> Order.ByConsensus.Reads.LINEARIZABLE;
      case LEASE -> Order.ByConsensus.Reads.LEASE;
      case LOCAL -> Order.ByConsensus.Reads.LOCAL;
      case SESSION -> Order.ByConsensus.Reads.SESSION;
      case STALE -> Order.ByConsensus.Reads.STALE;
    };
  }
}
