package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** Many clients of {@link PaddedCart} in one process, of whose requests some are updates. */
record CartClient(TempestAddress address, int requestBytes, int updatePercent)
    implements Program<LoadPlan, Sample> {
  static final String CUSTOMER = "17850";

  private static final int OBJECTS = 1_024;

  @Override
  public Answers<LoadPlan, Sample> start() {
    Clients clients = new Clients(this, FrontEnd.connect(address.frontEnd().build()));
    clients.load();
    return clients::run;
  }

  /** The name of an item. */
  static String item(int number) {
    return "%05d".formatted(number);
  }

  private static final class Clients {
    private final FrontEnd frontEnd;
    private final PaddedCart cart;
    private final byte[] addPadding;
    private final byte[] checkPadding;
    private final int updatePercent;
    private final Zipf popularity = new Zipf(OBJECTS, 1);
    private final List<String> items = new ArrayList<>();
    private final List<SplittableRandom> randoms = new ArrayList<>();

    Clients(CartClient program, FrontEnd frontEnd) {
      this.frontEnd = frontEnd;
      this.cart = frontEnd.service(PaddedCart.class);
      this.addPadding = new byte[program.requestBytes];
      this.checkPadding = new byte[program.requestBytes];
      this.updatePercent = program.updatePercent;
      for (int item = 0; item < OBJECTS; item++) {
        items.add(item(item));
      }
    }

    /** Puts one of each item into the cart. */
    void load() {
      items.forEach(item -> cart.add(CUSTOMER, item, 1, new byte[0]));
    }

    Sample run(LoadPlan plan) throws InterruptedException {
      while (randoms.size() < plan.clients()) {
        randoms.add(new SplittableRandom(randoms.size()));
      }
      return ClosedLoop.run(plan, this::request);
    }

    private CompletableFuture<Boolean> request(int client) {
      SplittableRandom random = randoms.get(client);
      String item = items.get(popularity.next(random));
      CompletableFuture<Outcome<Integer>> outcome =
          random.nextInt(100) < updatePercent
              ? frontEnd.async(cart, c -> c.add(CUSTOMER, item, 1, addPadding))
              : frontEnd.async(cart, c -> c.check(CUSTOMER, item, checkPadding));
      return outcome.thenApply(ended -> ended instanceof Outcome.Ok<Integer>);
    }
  }
}
