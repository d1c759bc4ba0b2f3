package dev.tempest.examples.petstore;

import dev.tempest.Answers;
import dev.tempest.FrontEnd;
import dev.tempest.Outcome;
import dev.tempest.Request;
import dev.tempest.UnknownOutcomeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The front of the shop: asks seven services at once for a page, and tells several of them of a
 * sale. After the scalability experiment of the Tempest paper (Marian, Balakrishnan, Birman, van
 * Renesse; DSN 2008, section 4.3): services of different weight, one of them an index, one that
 * recommends, one that does nothing.
 *
 * <p>Thread-safe.
 */
public final class PetStore {
  private static final int SHOWN_MAX = 5;

  private final FrontEnd frontEnd;
  private final Catalog catalog;
  private final SearchIndex search;
  private final Stock stock;
  private final Orders orders;
  private final Bestsellers bestsellers;
  private final Recommendations recommendations;
  private final Nothing nothing;

  /** A shop whose services have the names of {@link #services}. */
  public PetStore(FrontEnd frontEnd) {
    this.frontEnd = frontEnd;
    this.catalog = frontEnd.service("catalog", Catalog.class);
    this.search = frontEnd.service("search", SearchIndex.class);
    this.stock = frontEnd.service("stock", Stock.class);
    this.orders = frontEnd.service("orders", Orders.class);
    this.bestsellers = frontEnd.service("bestsellers", Bestsellers.class);
    this.recommendations = frontEnd.service("recommendations", Recommendations.class);
    this.nothing = frontEnd.service("nothing", Nothing.class);
  }

  /** The names of the seven services, and the class of each. */
  public static Map<String, Class<?>> services() {
    Map<String, Class<?>> services = new LinkedHashMap<>();
    services.put("catalog", CatalogService.class);
    services.put("search", SearchIndexService.class);
    services.put("stock", StockService.class);
    services.put("orders", OrdersService.class);
    services.put("bestsellers", BestsellersService.class);
    services.put("recommendations", RecommendationsService.class);
    services.put("nothing", NothingService.class);
    return Collections.unmodifiableMap(services);
  }

  /**
   * Puts pets up for sale, so many of each.
   *
   * @return the requests that got no value before the deadline, for people
   */
  public List<String> open(List<Pet> pets, int count, Duration deadline) {
    List<Request<?>> requests = new ArrayList<>();
    for (Pet pet : pets) {
      requests.add(frontEnd.request(catalog, service -> service.put(pet)));
      requests.add(frontEnd.request(search, service -> service.index(pet.id(), pet.description())));
      requests.add(frontEnd.request(stock, service -> service.deliver(pet.id(), count)));
    }
    return missing(frontEnd.all(deadline, requests));
  }

  /** The page of a pet, with whatever was answered before the deadline. */
  public Page page(String customer, String pet, String word, Duration deadline) {
    Request<Pet> shown = frontEnd.request(catalog, service -> service.pet(pet));
    Request<String[]> found = frontEnd.request(search, service -> service.find(word, SHOWN_MAX));
    Request<Integer> left = frontEnd.request(stock, service -> service.left(pet));
    Request<Order[]> latest =
        frontEnd.request(orders, service -> service.latest(customer, SHOWN_MAX));
    Request<String[]> top = frontEnd.request(bestsellers, service -> service.top(SHOWN_MAX));
    Request<String[]> alike =
        frontEnd.request(recommendations, service -> service.alike(pet, SHOWN_MAX));
    Request<Integer> idle = frontEnd.request(nothing, Nothing::read);

    Answers answers = frontEnd.all(deadline, shown, found, left, latest, top, alike, idle);

    Integer count = answers.of(left).orElse(null);
    return new Page(
        answers.of(shown).orElse(null),
        listed(answers.of(found)),
        count == null ? OptionalInt.empty() : OptionalInt.of(count),
        listed(answers.of(latest)),
        listed(answers.of(top)),
        listed(answers.of(alike)),
        missing(answers));
  }

  /**
   * Sells one pet: takes it from the stock, and if there was one, tells the others all at once.
   *
   * @param deadline for the others; the stock has as long as the front-end gives single requests
   * @return whether it was sold
   * @throws dev.tempest.UnableException if the stock refuses for another reason
   * @throws UnknownOutcomeException if the stock, or one of the others, does not answer in time
   */
  public boolean buy(String customer, Pet pet, Duration deadline) {
    if (!stock.take(pet.id(), 1)) {
      return false;
    }
    List<String> missing =
        missing(
            frontEnd.all(
                deadline,
                frontEnd.request(
                    orders, service -> service.place(customer, pet.id(), 1, pet.cents())),
                frontEnd.request(bestsellers, service -> service.sold(pet.id(), 1)),
                frontEnd.request(recommendations, service -> service.bought(customer, pet.id())),
                frontEnd.request(nothing, Nothing::write)));
    if (!missing.isEmpty()) {
      // What has to be all or nothing belongs into one method of one service. Here each of them is
      // done once for itself, and this is what is left to say if one was down for so long.
      throw new UnknownOutcomeException("sold, but not noted by all: " + missing);
    }
    return true;
  }

  private static <E> List<E> listed(Outcome<E[]> outcome) {
    return outcome instanceof Outcome.Ok<E[]>(E @Nullable [] elements) && elements != null
        ? List.of(elements)
        : List.of();
  }

  private static List<String> missing(Answers answers) {
    List<String> missing = new ArrayList<>();
    for (Request<?> request : answers.missing()) {
      missing.add(request + ": " + answers.of(request));
    }
    return missing;
  }
}
