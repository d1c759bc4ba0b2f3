package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.admin.Admin;
import dev.tempest.service.Read;
import dev.tempest.service.ServiceName;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import dev.tempest.values.UnsupportedTypeException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a service returns and throws, as its callers see it. */
class TypedClientTest {
  /** A service of generic types and exceptions of its own. */
  @ServiceName("front-desk")
  public interface Desk {
    /** Takes from what is there. */
    @Update
    int take(String item, int count) throws SoldOut;

    /** Adds, or fails where it should not. */
    @Update
    void add(List<Line> lines);

    /** All that is there. */
    @Read
    Map<String, List<Line>> lines();

    /** How much is there. */
    @Read
    Map<String, Optional<Integer>> counts();

    /** One of the items, if it is there. */
    @Read
    Optional<Line> find(String item);
  }

  /** So many of an item. */
  public record Line(String item, int count) {}

  /** There is not as much. */
  public static final class SoldOut extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says of what. */
    public SoldOut(String message) {
      super(message);
    }
  }

  /** The desk over a map. */
  static final class DeskService implements Desk {
    private final Map<String, Integer> items;

    DeskService(State state) {
      items = state.map("items", String.class, Integer.class);
    }

    @Override
    public int take(String item, int count) throws SoldOut {
      int left = items.merge(item, -count, Integer::sum);
      if (left < 0) {
        throw new SoldOut("no more " + item);
      }
      return left;
    }

    @Override
    public void add(List<Line> lines) {
      lines.forEach(line -> items.merge(line.item(), line.count(), Integer::sum));
      if (lines.isEmpty()) {
        throw new IllegalStateException("a bug");
      }
    }

    @Override
    public Map<String, List<Line>> lines() {
      return Map.of("all", items.keySet().stream().flatMap(item -> find(item).stream()).toList());
    }

    @Override
    public Map<String, Optional<Integer>> counts() {
      return items.entrySet().stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  Map.Entry::getKey, item -> Optional.of(item.getValue())));
    }

    @Override
    public Optional<Line> find(String item) {
      return Optional.ofNullable(items.get(item)).map(count -> new Line(item, count));
    }
  }

  @Test
  void declaredExceptionsAndGenericResultsComeBackAsTheyAre() throws Exception {
    try (TestCluster cluster = desks();
        FrontEnd frontEnd = cluster.frontEnd();
        Admin admin = cluster.admin()) {
      Desk desk = frontEnd.service(Desk.class);
      desk.add(List.of(new Line("tea", 3)));
      assertThat(desk.lines()).isEqualTo(Map.of("all", List.of(new Line("tea", 3))));
      assertThat(desk.find("tea")).contains(new Line("tea", 3));
      assertThat(desk.find("cake")).isEmpty();
      assertThatThrownBy(() -> desk.take("tea", 4))
          .isExactlyInstanceOf(SoldOut.class)
          .hasMessage("no more tea");
      assertThat(desk.take("tea", 3)).isZero();

      var description = admin.describe("front-desk");
      assertThat(description.methods())
          .filteredOn(method -> method.name().equals("counts"))
          .singleElement()
          .satisfies(method ->
              assertThat(admin.call("front-desk", method))
                  .isEqualTo(new Outcome.Ok<>(Map.of("tea", Optional.of(0)))));
      assertThat(description.methods())
          .filteredOn(method -> method.name().equals("lines"))
          .singleElement()
          .satisfies(
              method -> // A server must not choose what is loaded here.
              assertThatThrownBy(() -> admin.call("front-desk", method))
                      .isInstanceOf(UnsupportedTypeException.class)
                      .hasMessageContaining(Line.class.getName()));
    }
  }

  /** A service of a class that fails. */
  public interface Oracle {
    /** Tells. */
    @Read
    Verdict ask();
  }

  /** Can be made by servers only. */
  public record Verdict(int number) {
    /** Fails where futures complete. */
    public Verdict {
      if (Thread.currentThread().isVirtual()) {
        throw new AssertionError("of a test");
      }
    }
  }

  @Test
  void aFutureWhoseResultCannotBeMadeSaysSo() throws Exception {
    try (TestCluster cluster =
            TestCluster.of(
                1,
                false,
                () ->
                    Map.of(
                        "oracle",
                        ServiceInstance.of(Oracle.class, state -> () -> new Verdict(1))));
        FrontEnd frontEnd = cluster.frontEnd()) {
      Oracle oracle = frontEnd.service(Oracle.class);
      Outcome<?> one = frontEnd.async(oracle, Oracle::ask).join();
      Request<Verdict> request = frontEnd.request(oracle, Oracle::ask);
      Outcome<?> part = frontEnd.allAsync(TestCluster.PATIENCE, request).join().of(request);
      assertThat(List.of(one, part))
          .allMatch(outcome ->
              outcome instanceof Outcome.Unknown<?> unknown
                  && unknown.detail().contains("java.lang.AssertionError: of a test"));
    }
  }

  @Test
  void anExceptionThatIsNotDeclaredIsNamedAndTheServerLogsIt() throws Exception {
    Logged logged = new Logged();
    try (logged;
        TestCluster cluster = desks();
        FrontEnd frontEnd = cluster.frontEnd()) {
      Desk desk = frontEnd.service(Desk.class);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> desk.add(List.of()))
            .isInstanceOfSatisfying(
                ServiceException.class,
                thrown ->
                    assertThat(thrown.className()).isEqualTo(IllegalStateException.class.getName()))
            .hasMessage("java.lang.IllegalStateException: a bug");
      }
    }
    assertThat(logged.records())
        .filteredOn(each -> each.getThrown() instanceof IllegalStateException)
        .hasSizeBetween(1, 3) // Once for each of the servers at most.
        .allSatisfy(each -> assertThat(each.getMessage()).contains("Desk.add", "front-desk"));
  }

  @Test
  void anUnknownServiceIsRefusedWithTheOneThatWasMeant() throws Exception {
    try (TestCluster cluster = desks();
        FrontEnd frontEnd = cluster.frontEnd()) {
      Desk desk = frontEnd.service("FrontDesk", Desk.class);
      assertThatThrownBy(desk::lines)
          .isInstanceOf(UnableException.class)
          .hasMessageContaining("'FrontDesk'")
          .hasMessageContaining("did you mean 'front-desk'?");
    }
  }

  private static TestCluster desks() throws InterruptedException {
    return TestCluster.of(
        3, true, () -> Map.of("front-desk", ServiceInstance.of(Desk.class, DeskService::new)));
  }
}
