package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.Reads;
import dev.tempest.simulator.ServiceWorkload;
import dev.tempest.simulator.ServiceWorkload.Ask;
import dev.tempest.simulator.Timed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** One client's way of asking services on real servers. Not thread-safe. */
final class ServiceAsker implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** As front-ends wait by default, and the simulator's do. */
  private static final Duration RETRY_AFTER = Duration.ofMillis(50);

  private final ServiceWorkload workload;
  private final FrontEnd frontEnd;

  /** To each server one that knows no other: the paper's baseline is made of these. */
  private final List<FrontEnd> alone;

  private final Map<Integer, FrontEnd> fastest = new ConcurrentHashMap<>();

  ServiceAsker(TempestAddress address, ServiceWorkload workload) {
    this.workload = workload;
    boolean discovers = workload.asking().isDiscovery();
    this.frontEnd = connect(address, discovers ? 1 : workload.asking().replicas());
    List<String> discovered = discovers ? address.servers() : List.of();
    this.alone = discovered.stream().map(server -> connect(address.only(server), 1)).toList();
  }

  private static FrontEnd connect(TempestAddress address, int replicas) {
    FrontEndConfig.Builder config = address.frontEnd().retryAfter(RETRY_AFTER);
    return FrontEnd.connect(config.deadline(DEADLINE).reads(Reads.of(replicas)).build());
  }

  /** Asks all services of a request at once; whether all have answered. */
  boolean ask(Ask ask) {
    int key = ask.key();
    if (!alone.isEmpty() && !ask.update()) {
      return ask.services().stream().map(service -> look(service, key)).toList().stream()
          .allMatch(CompletableFuture::join);
    }
    return frontEnd
        .all(
            DEADLINE,
            ask.services().stream()
                .map(service -> service(frontEnd, service))
                .map(service ->
                    ask.update()
                        ? frontEnd.request(service, each -> each.note(key))
                        : frontEnd.request(service, each -> each.look(key)))
                .toList())
        .areWhole();
  }

  /** A first read of a service goes to all, later ones to whoever answered first. */
  private CompletableFuture<Boolean> look(int service, int key) {
    FrontEnd known = fastest.get(service);
    return CompletableFuture.anyOf(
            (known == null ? alone : List.of(known))
                .stream().map(one -> look(one, service, key)).toArray(CompletableFuture[]::new))
        .thenApply(Boolean.TRUE::equals);
  }

  private CompletableFuture<Boolean> look(FrontEnd one, int service, int key) {
    return one.async(service(one, service), each -> each.look(key))
        .thenApply(outcome -> {
          fastest.putIfAbsent(service, one);
          return outcome instanceof Outcome.Ok<Long>;
        });
  }

  private Timed service(FrontEnd one, int service) {
    return one.service(workload.services().get(service).name(), Timed.class);
  }

  @Override
  public void close() {
    frontEnd.close();
    alone.forEach(FrontEnd::close);
  }
}
