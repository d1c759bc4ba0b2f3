package dev.tempest.bench.servlet;

import dev.tempest.bench.load.ChildMain;
import dev.tempest.bench.load.ClosedLoop;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;

/** A process that loads servlets by HTTP, half of it adds and half checks. */
public final class HttpLoad {
  private static final int ITEMS = 1_024;

  private final Map<Integer, HttpClients> byPort = new HashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("think").factory());

  private HttpLoad() {}

  /** Runs what the parent says until that is gone: {@code PORT PLAN}. */
  public static void main(String[] args) throws IOException {
    HttpLoad load = new HttpLoad();
    ChildMain.serveLines(line -> {
      int space = line.indexOf(' ');
      int port = Integer.parseInt(line.substring(0, space));
      return load.run(port, LoadPlan.parse(line.substring(space + 1))).toLine();
    });
  }

  private Sample run(int port, LoadPlan plan) throws IOException, InterruptedException {
    HttpClients clients = byPort.get(port);
    if (clients == null) {
      clients = new HttpClients(port);
      byPort.put(port, clients);
    }
    clients.connect(plan.clients());
    HttpClients connected = clients;
    return ClosedLoop.run(plan, client -> connected.get(client, path()), timer);
  }

  private static String path() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return (random.nextBoolean() ? "/add/" : "/check/") + random.nextInt(ITEMS);
  }
}
