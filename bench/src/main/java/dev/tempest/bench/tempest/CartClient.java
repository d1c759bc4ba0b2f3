package dev.tempest.bench.tempest;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.bench.load.ChildMain;
import dev.tempest.bench.load.ClosedLoop;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import dev.tempest.bench.load.Zipf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Many clients of {@link PaddedCart} in one process. */
public final class CartClient {
  private static final int OBJECTS = 1_024;
  private static final String CUSTOMER = "17850";

  private final FrontEnd frontEnd;
  private final PaddedCart cart;
  private final byte[] addPadding;
  private final byte[] checkPadding;
  private final int updatePercent;
  private final Zipf popularity = new Zipf(OBJECTS, 1);
  private final List<String> items = new ArrayList<>();
  private final List<SplittableRandom> randoms = new ArrayList<>();

  private CartClient(FrontEnd frontEnd, int requestBytes, int updatePercent) {
    this.frontEnd = frontEnd;
    this.cart = frontEnd.service(PaddedCart.class);
    this.addPadding = new byte[requestBytes];
    this.checkPadding = new byte[requestBytes];
    this.updatePercent = updatePercent;
    for (int item = 0; item < OBJECTS; item++) {
      items.add("%05d".formatted(item));
    }
  }

  /**
   * Puts one of each item into the cart, then runs the parent's plans. Arguments: servers,
   * multicast port, bytes of a request, how many of 100 requests are updates.
   */
  public static void main(String[] args) throws IOException {
    FrontEndConfig config = TempestArguments.frontEnd(args[0], args[1]).build();
    try (FrontEnd frontEnd = FrontEnd.connect(config);
        ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("think").factory())) {
      CartClient client =
          new CartClient(frontEnd, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      client.load();
      ChildMain.serve(plan -> client.run(plan, timer));
    }
  }

  private void load() {
    items.forEach(item -> cart.add(CUSTOMER, item, 1, new byte[0]));
  }

  private Sample run(LoadPlan plan, ScheduledExecutorService timer) throws InterruptedException {
    while (randoms.size() < plan.clients()) {
      randoms.add(new SplittableRandom(randoms.size()));
    }
    return ClosedLoop.run(plan, this::request, timer);
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
