package dev.tempest.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Fills a cart without pause, and sees with each answer that nothing has left it. */
final class Customer implements Callable<Integer> {
  private static final int PRODUCTS = 20;

  private final Semaphore answers = new Semaphore(0);
  private final int port;
  private final AtomicBoolean isOver;

  Customer(int port, AtomicBoolean isOver) {
    this.port = port;
    this.isOver = isOver;
  }

  /** Until so many more requests have been answered; false if they are not. */
  boolean awaitAnswers(int count) throws InterruptedException {
    answers.drainPermits();
    return answers.tryAcquire(count, 1, TimeUnit.MINUTES);
  }

  @Override
  public Integer call() throws Exception {
    SortedMap<String, Integer> cart = new TreeMap<>();
    int count = 0;
    try (Browser browser = new Browser(port)) {
      while (!isOver.get()) {
        count++;
        String product = "product-" + count % PRODUCTS;
        cart.put(product, count);
        String answer = browser.ask("PUT", "/cart/" + product + "?count=" + count);
        assertThat(answer).isEqualTo(json(cart));
        answers.release();
      }
      assertThat(browser.ask("GET", "/cart")).isEqualTo(json(cart));
    } finally {
      answers.release(Integer.MAX_VALUE / 2); // Nobody waits for one that has failed.
    }
    return count;
  }

  private static String json(SortedMap<String, Integer> cart) {
    return cart.toString().replaceAll("([^{, ]+)=(\\d+)", "\"$1\":$2").replace(", ", ",");
  }
}
