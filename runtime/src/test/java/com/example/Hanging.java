package com.example;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A record of an application, whose constructor does not return where a node executes it. */
public record Hanging(int number) {
  private static volatile CompletableFuture<String> called = new CompletableFuture<>();
  private static volatile String threads = "none";
  private static CountDownLatch returning = new CountDownLatch(0);

  /** Hangs in the loop of a node. */
  public Hanging {
    String thread = Thread.currentThread().getName();
    if (thread.startsWith(threads)) {
      called.complete(thread);
      awaitEnd(returning);
    }
  }

  /** From now on, in threads whose names begin like this. */
  public static void begin(String threads) {
    Hanging.threads = threads;
    called = new CompletableFuture<>();
    returning = new CountDownLatch(1);
  }

  /** Waits until it does, and gives the name of the thread that does. */
  public static String await() {
    return called.join();
  }

  /** It returns. */
  public static void end() {
    returning.countDown();
  }

  private static void awaitEnd(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
