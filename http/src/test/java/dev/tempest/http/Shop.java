package dev.tempest.http;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;

/** A service with all that HTTP has to carry. */
public interface Shop {
  /** What is thrown where an item is out. */
  class SoldOutException extends Exception {
    private static final long serialVersionUID = 1L;

    public SoldOutException(String message) {
      super(message);
    }
  }

  /** One of those. */
  final class NeverMadeException extends SoldOutException {
    private static final long serialVersionUID = 1L;

    public NeverMadeException(String message) {
      super(message);
    }
  }

  /** Who sends no number gets one, another one each time. */
  record Ticket(String item, Long number) {
    public Ticket {
      number = number == null ? Long.valueOf(Shops.ticket()) : number;
    }
  }

  /** A value that JSON does not have. */
  record Stubborn(int sold) {
    public int getMore() {
      if (sold > 1) {
        throw new NoClassDefFoundError("secret");
      }
      throw new IllegalStateException("secret");
    }
  }

  record Nest(List<Nest> within) {}

  enum Size {
    SMALL,
    LARGE;

    @Override
    public String toString() {
      return name().charAt(0) + "";
    }
  }

  sealed interface Payment {}

  record Card(String number, int digits) implements Payment {}

  record Cash() implements Payment {}

  record Line(String item, int count, Size size, BigDecimal price) {}

  record Pair<A, B>(A first, B second) {}

  @SuppressWarnings("ArrayRecordComponent") // Any value has to travel.
  record Order(
      UUID id,
      Instant at,
      LocalDate day,
      Duration within,
      List<Line> lines,
      Set<String> tags,
      Map<String, Long> weights,
      Optional<String> note,
      byte[] seal,
      Payment payment,
      Pair<String, Integer> pair,
      char letter,
      long big) {}

  @Update
  int add(String item, int count) throws SoldOutException;

  @Read
  int count(String item);

  @Update
  void clear();

  /** Waits, as {@link Shops} says, and counts. */
  @Update
  void hold();

  @Update
  Order echo(Order order);

  @Update
  int take(Ticket ticket);

  @Update
  Stubborn sell(String item);

  @Update
  int put(Nest nest);

  @Read
  Order find(Pair<String, Integer> pair, Optional<Size> size);

  @Read
  Map<String, Integer> all(Set<String> items, long over);

  @Update
  String fails(String why);

  @Update
  String big(int chars);

  @Update
  int times(Instant at, Size size, double factor, boolean yes, Duration pause);

  @Read
  int times(int number);

  @Read
  float half(float number);

  /** Over a map. */
  final class Service implements Shop {

    private final ConcurrentMap<String, Integer> stock;

    public Service(State state) {
      stock = state.map("stock", String.class, Integer.class);
    }

    @Override
    public int add(String item, int count) throws SoldOutException {
      if (item.equals("none")) {
        throw new SoldOutException("there is no " + item);
      }
      if (item.equals("never")) {
        throw new NeverMadeException("there was no " + item);
      }
      return stock.merge(item, count, Math::addExact);
    }

    @Override
    public int count(String item) {
      return stock.getOrDefault(item, 0);
    }

    @Override
    public void clear() {
      stock.clear();
    }

    @Override
    public void hold() {
      Shops.pass();
      stock.merge("held", 1, Math::addExact);
    }

    @Override
    public int take(Ticket ticket) {
      return stock.merge(ticket.item(), 1, Math::addExact);
    }

    @Override
    public Stubborn sell(String item) {
      return new Stubborn(stock.merge(item, 1, Math::addExact));
    }

    @Override
    public int put(Nest nest) {
      return nest.within().size();
    }

    @Override
    public Order echo(Order order) {
      return order;
    }

    @Override
    public Order find(Pair<String, Integer> pair, Optional<Size> size) {
      return new Order(
          new UUID(1, 2),
          Instant.EPOCH,
          LocalDate.EPOCH,
          Duration.ofMinutes(1),
          List.of(new Line("tea", 1, size.orElse(Size.SMALL), BigDecimal.TEN)),
          Set.of("a"),
          Map.of("w", 1L),
          Optional.empty(),
          new byte[] {1, 2},
          new Card("1", 2),
          pair,
          'x',
          Long.MAX_VALUE);
    }

    @Override
    public Map<String, Integer> all(Set<String> items, long over) {
      Map<String, Integer> all = new TreeMap<>(stock);
      all.keySet().retainAll(items);
      all.values().removeIf(count -> count <= over);
      return all;
    }

    @Override
    public String fails(String why) {
      throw new IllegalStateException(why);
    }

    @Override
    public String big(int chars) {
      return "x".repeat(chars);
    }

    @Override
    public int times(Instant at, Size size, double factor, boolean yes, Duration pause) {
      return yes ? (int) factor : 0;
    }

    @Override
    public float half(float number) {
      return number / 2;
    }

    @Override
    public int times(int number) {
      return 2 * number;
    }
  }
}
