package dev.tempest.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.service.Read;
import dev.tempest.service.ServiceName;
import dev.tempest.service.Update;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServiceInterfaceTest {
  private static final ServiceInterface CART = ServiceInterface.of(Cart.class);

  interface NotMarked {
    @Read
    int one();

    int two();
  }

  interface MarkedTwice {
    @Read
    @Update
    int one();
  }

  interface MarkedStatic {
    @Read
    static int one() {
      return 1;
    }
  }

  interface Nothing {}

  interface Generic {
    @Read
    <T> void one(T value);
  }

  interface GenericParameter {
    @Read
    void one(String name, Comparable<String> value);
  }

  @SuppressWarnings("rawtypes") // What is refused.
  interface RawList {
    @Read
    List one();
  }

  interface Generics {
    @Read
    Map<String, List<Cart.Line>> lines(Optional<Set<String>> items);

    @Read
    Optional<? extends Cart.Line> first(List<byte[]> blobs, int number);
  }

  @ServiceName("log")
  interface Renamed {
    @Read
    int one();
  }

  interface HTTPLogOf2Days {
    @Read
    int one();
  }

  interface RawObject {
    @Update
    void put(String key, Object value);
  }

  interface Named<T> {
    @Read
    T name();
  }

  interface Inherits extends Named<String> {
    @Update
    void rename(String name);
  }

  interface Narrows extends Named<String> {
    @Override
    @Read
    String name();
  }

  interface Base {
    @Read
    int first();
  }

  interface Extended extends Base {
    @Update
    int second();

    @Read
    default int both() {
      return first() + second();
    }
  }

  // Two names of one hash, found by search.
  interface Collides {
    @Read
    int belesoba();

    @Read
    int bisisoso();
  }

  @Test
  void markedMethodsArePartAndOthersAreNot() {
    assertThat(CART.type()).isSameAs(Cart.class);
    assertThat(CART.methods())
        .extracting(ServiceMethod::toString)
        .containsExactlyInAnyOrder(
            "Cart.add(String)",
            "Cart.add(String, int)",
            "Cart.add(Line)",
            "Cart.fail(String)",
            "Cart.overflow(int)",
            "Cart.breakDown()",
            "Cart.abort()",
            "Cart.commit()",
            "Cart.order(String)",
            "Cart.draw()",
            "Cart.produce(int)",
            "Cart.check(String)",
            "Cart.cheat()",
            "Cart.nowMillis()",
            "Cart.failSpeechlessly()");
    assertThat(CART.methods()).filteredOn(ServiceMethod::isUpdate).hasSize(11);
    assertThat(ServiceInterface.of(Extended.class).methods())
        .extracting(ServiceMethod::name)
        .containsExactlyInAnyOrder("first", "second", "both");
    assertThat(ServiceInterface.of(Narrows.class).methods()).hasSize(1);
  }

  @Test
  void methodsAreFoundByNumberAndByReflection() throws NoSuchMethodException {
    for (ServiceMethod method : CART.methods()) {
      assertThat(CART.method(method.number())).isSameAs(method);
      assertThat(CART.method(method.method())).isSameAs(method);
    }
    assertThat(CART.method(12345)).isNull();
    assertThat(CART.method(Cart.class.getMethod("has", String.class))).isNull();
    assertThat(CART.method(Object.class.getMethod("toString"))).isNull();
    assertThat(ServiceInterface.of(Extended.class).method(Base.class.getMethod("first")))
        .isNotNull();
  }

  /** Pinned: front-ends and servers of different releases have to agree. */
  @Test
  void numbersNeverChange() {
    assertThat(method("add", String.class).number()).isEqualTo(465838779);
    assertThat(method("add", String.class, int.class).number()).isEqualTo(1333260599);
    assertThat(method("add", Cart.Line.class).number()).isEqualTo(1368997430);
    assertThat(method("draw").number()).isEqualTo(471529647);
  }

  @Test
  void argumentsComeBack() {
    ServiceMethod add = method("add", String.class, int.class);
    assertThat(add.parameterTypes()).containsExactly(String.class, int.class);
    assertThat(add.decode(add.encode(new Object[] {"tea", 3}))).containsExactly("tea", 3);
    assertThat(add.decode(add.encode(new Object[] {null, 3}))).containsExactly(null, 3);

    ServiceMethod draw = method("draw");
    assertThat(draw.encode(null)).isEqualTo(Bytes.EMPTY);
    assertThat(draw.decode(draw.encode(new Object[0]))).isEmpty();
  }

  @Test
  void argumentsThatDoNotFitAreRefusedBeforeTheyAreSent() {
    ServiceMethod add = method("add", String.class, int.class);
    refusesArguments(add, "takes 2 arguments, not 0");
    refusesArguments(add, "takes 2 arguments, not 1", "tea");
    refusesArguments(add, "argument 2 is null where int is declared", "tea", null);
    refusesArguments(
        add, "argument 1 is a java.lang.Integer where java.lang.String is declared", 1, 1);
  }

  @Test
  void typeArgumentsCount() {
    ServiceMethod lines =
        ServiceInterface.of(Generics.class).methods().stream()
            .filter(each -> each.name().equals("lines"))
            .findFirst()
            .orElseThrow();
    Object[] arguments = {Optional.of(Set.of("tea"))};
    assertThat(lines.decode(lines.encode(arguments))).isEqualTo(arguments);
    Map<String, List<Cart.Line>> result = Map.of("tea", List.of(new Cart.Line("tea", 2)));
    assertThat(lines.decodeResult(lines.encodeResult(result))).isEqualTo(result);
    assertThatThrownBy(() -> lines.encodeResult(Map.of("tea", List.of("tea"))))
        .isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> lines.encode(new Object[] {Optional.of(Set.of(1))}))
        .isInstanceOf(ClassCastException.class);
  }

  @Test
  void typesHaveNamesFromWhichTheyCanBeHadAgain() {
    for (ServiceMethod each : ServiceInterface.of(Generics.class).methods()) {
      List<String> names = new ArrayList<>(each.parameterTypeNames());
      names.add(each.resultTypeName());
      names.removeIf(name -> name.contains(Cart.Line.class.getName()));
      for (String name : names) {
        assertThat(TypeNames.of(TypeNames.parse(name))).isEqualTo(name);
      }
    }
    ServiceMethod first =
        ServiceInterface.of(Generics.class).methods().stream()
            .filter(each -> each.name().equals("first"))
            .findFirst()
            .orElseThrow();
    assertThat(first.parameterTypeNames()).containsExactly("java.util.List<[B>", "int");
    assertThat(first.resultTypeName())
        .isEqualTo("java.util.Optional<" + Cart.Line.class.getName() + ">");
    for (String none :
        List.of(
            "",
            "java.util.List<",
            "java.util.List<>",
            "java.util.Map<int>",
            "no.Such",
            "int<int>",
            "[",
            "[Lint",
            "[Lint;",
            "[java.lang.String",
            "[".repeat(300) + "Ljava.lang.String;",
            "java.lang.Object",
            first.resultTypeName())) {
      assertThatThrownBy(() -> TypeNames.parse(none)).isInstanceOf(UnsupportedTypeException.class);
    }
  }

  @Test
  void anInterfaceNamesItsService() {
    assertThat(CART.defaultName()).isEqualTo("cart");
    assertThat(ServiceInterface.of(Renamed.class).defaultName()).isEqualTo("log");
    assertThat(ServiceInterface.of(HTTPLogOf2Days.class).defaultName())
        .isEqualTo("http-log-of2-days");
  }

  @Test
  void declaredExceptionsAreMadeAnewAndNoOthers() {
    Throws declared = method("order", String.class).exceptions();
    assertThat(declared.remake(Cart.SoldOut.class.getName(), "tea"))
        .isExactlyInstanceOf(Cart.SoldOut.class)
        .hasMessage("tea");
    assertThat(declared.remake(Cart.SoldOut.class.getName(), "")).hasMessage(null);
    assertThat(declared.remake(Cart.SoldOutForNow.class.getName(), "tea")).isNull();
    assertThat(declared.remake(Cart.Unmakable.class.getName(), "number 3")).isNull();
    assertThat(declared.remake("java.lang.IllegalStateException", "")).isNull();
    assertThat(method("draw").exceptions().remake(Cart.SoldOut.class.getName(), "")).isNull();
  }

  @Test
  void bytesThatAreNoArgumentsAreMalformed() {
    ServiceMethod add = method("add", String.class, int.class);
    byte[] good = add.encode(new Object[] {"tea", 3}).toArray();
    assertThatThrownBy(() -> add.decode(Bytes.of(good, 0, good.length - 1)))
        .isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> method("add", String.class).decode(Bytes.of(good)))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("left over");
    assertThatThrownBy(() -> method("draw").decode(Bytes.of(good)))
        .isInstanceOf(MalformedException.class);
  }

  @Test
  void resultsComeBack() {
    ServiceMethod check = method("check", String.class);
    assertThat(check.resultType()).isEqualTo(Integer.class);
    assertThat(check.decodeResult(check.encodeResult(5))).isEqualTo(5);
    assertThat(check.decodeResult(check.encodeResult(null))).isNull();
    ServiceMethod nothing = method("add", Cart.Line.class);
    assertThat(nothing.resultType()).isEqualTo(void.class);
    assertThat(nothing.encodeResult(null)).isEqualTo(Bytes.EMPTY);
    assertThat(nothing.decodeResult(Bytes.EMPTY)).isNull();
    assertThatThrownBy(() -> nothing.decodeResult(Bytes.of((byte) 0)))
        .isInstanceOf(MalformedException.class);
  }

  @Test
  void anInterfaceThatCannotBeServedIsRefusedWithItsMethod() {
    refuses(NotMarked.class, "NotMarked.two has no mark: add @Update");
    refuses(MarkedTwice.class, "MarkedTwice.one is marked both @Update and @Read");
    refuses(MarkedStatic.class, "MarkedStatic.one is static");
    refuses(Nothing.class, "Nothing has no methods marked @Update or @Read");
    refuses(Cart.CartService.class, "CartService is not an interface");
    refuses(Read.class, "Read is not an interface");
  }

  @Test
  void aTypeThatIsNoValueIsRefusedWithItsMethodAndPlace() {
    refusesType(Generic.class, "Generic.one(Object) is generic");
    refusesType(
        GenericParameter.class,
        "GenericParameter.one(String, Comparable), parameter 2: java.lang.Comparable cannot be a"
            + " value");
    refusesType(
        RawList.class,
        "RawList.one(), the result: java.util.List (found at List) has no type arguments");
    refusesType(RawObject.class, "RawObject.put(String, Object), parameter 2: java.lang.Object");
    refusesType(Inherits.class, "Named.name(), the result: T may be any class");
  }

  @Test
  void methodsOfOneNumberAreRefusedByName() {
    refuses(Collides.class, "have the same number");
    refuses(Collides.class, "Collides.belesoba()");
    refuses(Collides.class, "Collides.bisisoso()");
  }

  private static void refuses(Class<?> api, String message) {
    assertThatThrownBy(() -> ServiceInterface.of(api))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static void refusesType(Class<?> api, String message) {
    assertThatThrownBy(() -> ServiceInterface.of(api))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining(message);
  }

  private static void refusesArguments(
      ServiceMethod method, String message, @Nullable Object... arguments) {
    assertThatThrownBy(() -> method.encode(arguments))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("Cart.add(String, int)");
  }

  static ServiceMethod method(String name, Class<?>... parameters) {
    try {
      return Objects.requireNonNull(CART.method(Cart.class.getMethod(name, parameters)));
    } catch (NoSuchMethodException missing) {
      throw new AssertionError(missing);
    }
  }
}
