package dev.tempest.cli;

import dev.tempest.FrontEnd;
import dev.tempest.examples.petstore.Page;
import dev.tempest.examples.petstore.Pet;
import dev.tempest.examples.petstore.PetStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** People in the pet shop: each looks at a page, thinks, and buys now and then. */
final class PetStoreShoppers {
  static final Duration PAGE_DEADLINE = Duration.ofMillis(250);

  private static final Duration SALE_DEADLINE = Duration.ofSeconds(30);
  private static final int PAGES_PER_SALE = 4;
  private static final long THINK_NANOS = 10_000_000;
  private static final int DIGITS = 2;
  private static final long SEED = 7;

  private final PetStore store;
  private final List<Pet> pets;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong pages = new AtomicLong();
  private final AtomicLong partial = new AtomicLong();
  private final AtomicLong sales = new AtomicLong();
  private final Recorder pageNanos = new Recorder(DIGITS);
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private volatile boolean closing;

  PetStoreShoppers(FrontEnd frontEnd, List<Pet> pets) {
    this.store = new PetStore(frontEnd);
    this.pets = pets;
  }

  /** Lets so many in. */
  void enter(int count) {
    for (int i = 0; i < count; i++) {
      int shopper = i;
      threads.add(Thread.ofPlatform().daemon().name("shopper-" + i).start(() -> shop(shopper)));
    }
  }

  /** Lets everybody finish what they are about, and waits until all have left. */
  void leave() throws InterruptedException {
    closing = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  long pages() {
    return pages.get();
  }

  /** Of the pages, those that lacked something at their deadline. */
  long partialPages() {
    return partial.get();
  }

  long sales() {
    return sales.get();
  }

  /** How the first sale that went wrong did so; null if none did. */
  @Nullable String failure() {
    return failure.get();
  }

  /** How long pages took, in nanoseconds, since this was asked last. */
  Histogram takePageNanos() {
    return pageNanos.getIntervalHistogram();
  }

  private void shop(int shopper) {
    SplittableRandom random = new SplittableRandom(SEED + shopper);
    String customer = "customer " + shopper;
    try {
      while (!closing && failure.get() == null) {
        Pet pet = pets.get(random.nextInt(pets.size()));
        look(customer, pet);
        if (random.nextInt(PAGES_PER_SALE) == 0) {
          buy(customer, pet);
        }
        LockSupport.parkNanos(THINK_NANOS);
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, "a sale to " + customer + " ended with " + e);
    }
  }

  private void look(String customer, Pet pet) {
    String kind = pet.description().substring(pet.description().lastIndexOf(' ') + 1);
    long startNanos = System.nanoTime();
    Page page = store.page(customer, pet.id(), kind, PAGE_DEADLINE);
    pageNanos.recordValue(System.nanoTime() - startNanos);
    pages.incrementAndGet();
    if (!page.isWhole()) {
      partial.incrementAndGet();
    }
  }

  private void buy(String customer, Pet pet) {
    if (store.buy(customer, pet, SALE_DEADLINE)) {
      sales.incrementAndGet();
    } else {
      failure.compareAndSet(null, "there is no " + pet.id() + " left, of a million");
    }
  }
}
