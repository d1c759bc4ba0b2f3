package dev.tempest.bench.services;

import dev.tempest.Answers;
import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.Reads;
import dev.tempest.Request;
import dev.tempest.bench.tempest.TempestServer.Hosting;
import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import dev.tempest.simulator.ServiceWorkload.Ask;
import dev.tempest.simulator.Timed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** One client's way of asking services on real servers. Not thread-safe. */
interface ServiceAsker extends AutoCloseable {
  /** Asks all services of a request at once; whether all have answered. */
  boolean ask(Ask ask);

  @Override
  void close();

  /**
   * A way of asking.
   *
   * @param hosted the kinds of the services on the servers
   * @param workload whose services are some of these
   */
  static ServiceAsker of(
      FrontEndConfig config, List<ServiceKind> hosted, ServiceWorkload workload) {
    List<String> names = new ArrayList<>();
    for (ServiceKind kind : workload.services()) {
      names.add(Hosting.timedName(hosted.indexOf(kind)));
    }
    ServiceWorkload.Asking asking = workload.asking();
    return asking.isDiscovery()
        ? new Discovering(config, names)
        : new Adaptive(config.toBuilder().reads(Reads.of(asking.replicas())).build(), names);
  }

  /** As users do. */
  final class Adaptive implements ServiceAsker {
    private final FrontEndConfig config;
    private final FrontEnd frontEnd;
    private final List<Timed> services = new ArrayList<>();

    private Adaptive(FrontEndConfig config, List<String> names) {
      this.config = config;
      this.frontEnd = FrontEnd.connect(config);
      names.forEach(name -> services.add(frontEnd.service(name, Timed.class)));
    }

    @Override
    public boolean ask(Ask ask) {
      List<Request<Long>> requests = new ArrayList<>();
      int key = ask.key();
      for (int service : ask.services()) {
        Timed asked = services.get(service);
        requests.add(
            ask.update()
                ? frontEnd.request(asked, each -> each.note(key))
                : frontEnd.request(asked, each -> each.look(key)));
      }
      Answers answers = frontEnd.all(config.deadline(), requests);
      return answers.areWhole();
    }

    @Override
    public void close() {
      frontEnd.close();
    }
  }

  /**
   * The paper's baseline, made of front-ends: to each server one that knows no other. A first read
   * of a service goes to all, later ones to whoever answered first.
   */
  final class Discovering implements ServiceAsker {
    private final Adaptive updates;
    private final List<String> names;
    private final List<FrontEnd> frontEnds = new ArrayList<>();
    private final Map<Integer, FrontEnd> fastest = new ConcurrentHashMap<>();

    private Discovering(FrontEndConfig config, List<String> names) {
      this.updates = new Adaptive(config, names);
      this.names = names;
      for (String server : config.servers()) {
        FrontEndConfig one =
            FrontEndConfig.builder(server)
                .cluster(config.cluster())
                .multicastPort(config.multicastPort())
                .retryAfter(config.retryAfter())
                .deadline(config.deadline())
                .build();
        frontEnds.add(FrontEnd.connect(one));
      }
    }

    @Override
    public boolean ask(Ask ask) {
      if (ask.update()) {
        return updates.ask(ask);
      }
      List<CompletableFuture<Boolean>> parts = new ArrayList<>();
      for (int service : ask.services()) {
        FrontEnd known = fastest.get(service);
        parts.add(known != null ? look(known, service, ask.key()) : discover(service, ask.key()));
      }
      return parts.stream().map(CompletableFuture::join).reduce(true, Boolean::logicalAnd);
    }

    private CompletableFuture<Boolean> look(FrontEnd frontEnd, int service, int key) {
      Timed asked = frontEnd.service(names.get(service), Timed.class);
      return frontEnd
          .async(asked, each -> each.look(key))
          .thenApply(outcome -> outcome instanceof Outcome.Ok<Long>);
    }

    private CompletableFuture<Boolean> discover(int service, int key) {
      List<CompletableFuture<Boolean>> answers = new ArrayList<>();
      frontEnds.forEach(each -> answers.add(look(each, service, key)));
      CompletableFuture<Object> first =
          CompletableFuture.anyOf(answers.toArray(CompletableFuture[]::new));
      return first.thenApply(answered -> {
        int winner = 0;
        while (winner < answers.size() - 1 && !answers.get(winner).isDone()) {
          winner++;
        }
        fastest.put(service, frontEnds.get(winner));
        return Boolean.TRUE.equals(answered);
      });
    }

    @Override
    public void close() {
      updates.close();
      frontEnds.forEach(FrontEnd::close);
    }
  }
}
