package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Many clients of {@link PaddedCart} in one process, of whose requests some are updates. */
final class CartClient implements Program.Answers<LoadPlan, Point> {
  static final String CUSTOMER = "17850";

  private static final int OBJECTS = 1_024;

  private final FrontEnd frontEnd;
  private final PaddedCart cart;
  private final byte[] padding;
  private final int updatePercent;
  private final List<String> items =
      IntStream.range(0, OBJECTS).mapToObj(CartClient::item).toList();
  private final Zipf popularity = new Zipf(OBJECTS);
  private final List<SplittableRandom> randoms = new ArrayList<>();

  /** Connects, and puts one of each item into the cart. */
  CartClient(TempestAddress address, int requestBytes, int updatePercent) {
    this.frontEnd = FrontEnd.connect(address.frontEnd().build());
    this.cart = frontEnd.service(PaddedCart.class);
    this.padding = new byte[requestBytes];
    this.updatePercent = updatePercent;
    items.forEach(item -> cart.add(CUSTOMER, item, 1, new byte[0]));
  }

  static String item(int number) {
    return "%05d".formatted(number);
  }

  @Override
  public Point answer(LoadPlan plan) throws InterruptedException {
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
            ? frontEnd.async(cart, c -> c.add(CUSTOMER, item, 1, padding))
            : frontEnd.async(cart, c -> c.check(CUSTOMER, item, padding));
    return outcome.thenApply(ended -> ended instanceof Outcome.Ok<Integer>);
  }
}
