package dev.tempest.cbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.values.encoding.Opaque;
import dev.tempest.values.encoding.ValueType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Classes that are neither built in nor records, once this module is there. */
class CborFormatTest {
  static class Customer {
    private String name;
    int age;
    @Nullable Instant since;
    private final List<Address> addresses = new ArrayList<>();
    Map<String, BigDecimal> limits = new LinkedHashMap<>();
    transient int counted = 7;

    private Customer() {
      this("", 0);
    }

    Customer(String name, int age) {
      this.name = name;
      this.age = age;
    }

    /** A method that looks like a property, and is none. */
    public String getGreeting() {
      throw new IllegalStateException("never called");
    }
  }

  static class Tags {
    Set<String> names = new LinkedHashSet<>();
    Set<Address> places = new LinkedHashSet<>();
  }

  @Test
  void equalSetsHaveEqualBytes() {
    Tags one = new Tags();
    Tags other = new Tags();
    one.names.addAll(List.of("b", "a", "c"));
    other.names.addAll(List.of("c", "b", "a"));
    one.places.addAll(List.of(new Address("x"), new Address("y")));
    other.places.addAll(List.of(new Address("y"), new Address("x")));
    ValueType<Tags> type = ValueType.of(Tags.class);
    assertThat(type.isSame(one, other)).isTrue();
    Tags copy = type.copy(one);
    assertThat(copy.names).isEqualTo(one.names);
    assertThat(copy.places).hasSize(2);
    other.names.remove("c");
    assertThat(type.isSame(one, other)).isFalse();
  }

  static class Address {
    String street = "";

    Address() {}

    Address(String street) {
      this.street = street;
    }
  }

  static final class Detailed extends Address {
    int floor;

    Detailed(String street, int floor) {
      super(street);
      this.floor = floor;
    }
  }

  @SuppressWarnings("UnusedVariable") // The fields are what is written.
  static final class Money {
    private final long cents;
    private final String currency;

    @JsonCreator
    Money(long cents, String currency) {
      this.cents = cents;
      this.currency = Objects.requireNonNull(currency);
    }
  }

  /** The same as {@link Customer} to somebody who knows less of it. */
  static class Person {
    String name = "";
  }

  static class Anything {
    @Nullable Object what;
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  static class Chosen {
    String name = "";
  }

  static class Chain {
    @Nullable Chain next;
  }

  static class Runs {
    int number = 1;
    Thread thread = new Thread(() -> {});
  }

  static class Nothing {}

  record Order(int number, Customer customer) {}

  private static final ValueType<Customer> CUSTOMERS = ValueType.of(Customer.class);
  private static final ValueType<Object> ANY =
      ValueType.any(Object.class, Customer.class, Order.class);

  @Test
  void fieldsComeBackAndAreNotShared() {
    Customer customer = customer();
    Customer copy = CUSTOMERS.copy(customer);
    customer.name = "changed";
    customer.addresses.clear();

    assertThat(copy).usingRecursiveComparison().isEqualTo(customer());
    assertThat(copy.counted).isEqualTo(7);
    assertThat(read(CUSTOMERS, bytes(CUSTOMERS, customer())))
        .usingRecursiveComparison()
        .isEqualTo(customer());
    Order order = (Order) ANY.copy(new Order(1, customer()));
    assertThat(order.customer()).usingRecursiveComparison().isEqualTo(customer());
  }

  @Test
  void sameContentsAreTheSame() {
    Customer other = customer();
    Map<String, BigDecimal> limits = new LinkedHashMap<>();
    limits.put("b", BigDecimal.TEN);
    limits.put("a", BigDecimal.ONE);
    other.limits = limits;

    assertThat(ANY.isSame(customer(), other)).isTrue();
    assertThat(ANY.hash(customer())).isEqualTo(ANY.hash(other));
    assertThat(ANY.compare(customer(), other)).isZero();
    other.age++;
    assertThat(ANY.isSame(customer(), other)).isFalse();
  }

  @Test
  void theyAreNoKeys() {
    assertThatThrownBy(() -> ValueType.anyKey(Customer.class))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("Customer cannot be a key");
    assertThat(ValueType.of(Order.class).hasContentEquality()).isFalse();
  }

  @Test
  void fieldsMayComeAndGo() {
    CborFormat format = new CborFormat();
    byte[] known = format.encode(Customer.class, customer());
    Person person = (Person) format.decode(Person.class, known);
    Customer customer =
        (Customer) format.decode(Customer.class, format.encode(Person.class, person));

    assertThat(person.name).isEqualTo("Ada");
    assertThat(customer.name).isEqualTo("Ada");
    assertThat(customer.since).isNull();
    assertThat(customer.addresses).isEmpty();
  }

  @Test
  void whatCannotBeWrittenIsNamedWithItsField() {
    Anything anything = new Anything();
    anything.what = new Address("x");
    assertThatThrownBy(() -> ValueType.of(Anything.class).copy(anything))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining(Anything.class.getName())
        .hasMessageContaining("at Anything.what: it is declared as Object");
    assertThatThrownBy(() -> ValueType.of(Runs.class).copy(new Runs()))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("Runs.thread");
    assertThatThrownBy(() -> ValueType.of(Nothing.class).copy(new Nothing()))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining(Nothing.class.getName());
    Chain chain = new Chain();
    chain.next = chain;
    assertThatThrownBy(() -> ValueType.of(Chain.class).copy(chain))
        .isInstanceOf(UnsupportedTypeException.class);
  }

  @Test
  void whatWouldBeLostIsRefused() {
    Customer customer = customer();
    customer.addresses.add(new Detailed("Via Roma 2", 3));
    assertThatThrownBy(() -> ANY.copy(customer))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("Customer.addresses[].floor");
    ValueType<Address> addresses = ValueType.any(Address.class);
    assertThatThrownBy(() -> addresses.copy(new Detailed("Via Roma 2", 3)))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("Detailed is not declared");
  }

  @Test
  void classesWithoutDefaultConstructorComeBackByTheirCreator() {
    ValueType<Money> type = ValueType.of(Money.class);
    assertThat(type.copy(new Money(5, "EUR")))
        .usingRecursiveComparison()
        .isEqualTo(new Money(5, "EUR"));
  }

  @Test
  void classesOfTheJdkAreNotItsMatter() {
    CborFormat format = new CborFormat();
    for (Class<?> declared :
        List.of(
            StringBuilder.class,
            ArrayList.class,
            Thread.class,
            Object.class,
            Runnable.class,
            int.class,
            Order.class,
            Thread.State.class,
            Customer[].class,
            IllegalStateException.class)) {
      assertThat(format.supports(declared)).as("%s", declared).isFalse();
    }
    assertThatThrownBy(() -> ValueType.of(StringBuilder.class))
        .isInstanceOf(UnsupportedTypeException.class);
  }

  @Test
  void bytesNeverChooseAClass() {
    Chosen chosen = new Chosen();
    chosen.name = "a";
    byte[] bytes = new CborFormat().encode(Chosen.class, chosen);

    assertThat(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("Chosen");
    assertThat(((Chosen) new CborFormat().decode(Chosen.class, bytes)).name).isEqualTo("a");
  }

  @Test
  void whoDoesNotDeclareTheClassKeepsItsBytes() {
    Bytes bytes = bytes(ANY, customer());
    ValueType<Object> plain = ValueType.any(Object.class);
    Object opaque = read(plain, bytes);

    assertThat(opaque).isInstanceOf(Opaque.class);
    assertThat(((Opaque) opaque).className()).isEqualTo(Customer.class.getName());
    assertThat(bytes(plain, opaque)).isEqualTo(bytes);
    assertThat(plain.hash(opaque)).isEqualTo(ANY.hash(customer()));
  }

  @Test
  void badBytesAreMalformedOrAValue() {
    byte[] good = bytes(CUSTOMERS, customer()).toArray();
    for (int seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      byte[] bad = good.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      byte[] cut = Arrays.copyOf(bad, bad.length - random.nextInt(2) * random.nextInt(9));
      try {
        CUSTOMERS.read(Bytes.of(cut).reader());
      } catch (MalformedException refused) {
        assertThat(refused).hasMessageMatching("(?s).+");
      }
    }
  }

  /** The build runs this with a heap of 256 MB: believing one of them is an OutOfMemoryError. */
  @Test
  void aLengthThatIsALieTakesNoMemory() {
    CborFormat format = new CborFormat();
    // A map of one field, whose value says that it is 2 GB of text, bytes or elements.
    for (int major : new int[] {0x7a, 0x5a, 0x9a, 0xba}) {
      byte[] lie = {(byte) 0xa1, 0x64, 'n', 'a', 'm', 'e', (byte) major, 0x7f, -1, -1, -1, 'x'};
      assertThatThrownBy(() -> format.decode(Person.class, lie))
          .isInstanceOf(UnsupportedTypeException.class);
    }
  }

  private static Customer customer() {
    Customer customer = new Customer("Ada", 36);
    customer.since = Instant.ofEpochSecond(1, 5);
    customer.addresses.add(new Address("Via Roma 1"));
    customer.limits.put("a", BigDecimal.ONE);
    customer.limits.put("b", BigDecimal.TEN);
    return customer;
  }

  private static <T> Bytes bytes(ValueType<T> type, T value) {
    ByteWriter writer = new ByteWriter(100_000);
    type.write(value, writer);
    return writer.toBytes();
  }

  private static <T> T read(ValueType<T> type, Bytes bytes) {
    return Objects.requireNonNull(type.read(bytes.reader()));
  }
}
