package dev.tempest.bench;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Loads servlets by HTTP, half of it adds and half checks; the same process loads all of them. */
record HttpLoad() implements Program<HttpLoad.Task, Sample> {
  private static final int ITEMS = 1_024;

  /** A plan for the servlet at a port. */
  record Task(int port, LoadPlan plan) implements Serializable {}

  @Override
  public Answers<Task, Sample> start() {
    Map<Integer, HttpClients> byPort = new HashMap<>();
    return task -> {
      HttpClients clients = byPort.get(task.port);
      if (clients == null) {
        clients = new HttpClients(task.port);
        byPort.put(task.port, clients);
      }
      clients.connect(task.plan.clients());
      HttpClients connected = clients;
      return ClosedLoop.run(task.plan, client -> connected.get(client, path()));
    };
  }

  private static String path() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return (random.nextBoolean() ? "/add/" : "/check/") + random.nextInt(ITEMS);
  }
}
