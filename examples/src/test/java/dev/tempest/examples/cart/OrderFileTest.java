package dev.tempest.examples.cart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OrderFileTest {
  @Test
  void theSampleIsAYearOfOrdersInOrderOfTime() {
    List<OrderLine> orders = OrderFile.sample();

    assertThat(orders).hasSize(28_000).extracting(OrderLine::time).isSorted();
    assertThat(orders.getFirst())
        .hasToString(
            "OrderLine[time=2010-12-01T08:34, invoice=536368, customer=13047, item=22914,"
                + " quantity=3, price=4.95, country=United Kingdom]");
    assertThat(orders).filteredOn(order -> order.quantity() < 0).hasSize(616);
    assertThat(orders.stream().map(OrderLine::customer).distinct()).hasSize(3_569);
  }

  @Test
  void readsQuotedFields() throws IOException {
    assertThat(read("2011-01-02 03:04:05,1,7,\"a \"\"b\"\"\",2,1.5,\"Korea, Republic of\""))
        .singleElement()
        .satisfies(order -> {
          assertThat(order.item()).isEqualTo("a \"b\"");
          assertThat(order.country()).isEqualTo("Korea, Republic of");
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          2011-01-02 03:04:05,1,7,x,2,1.5               | 6 fields instead of 7
          2011-01-02 03:04:05,1,7,x,2,1.5,Korea, South  | 8 fields instead of 7
          2011-01-02 03:04:05,1,7,x,two,1.5,UK          | quantity 'two' cannot be read
          2011-01-02 03:04:05,1,7,x,0,1.5,UK            | a quantity cannot be 0
          2011-01-02 03:04:05,1,7,x,2,cheap,UK          | price 'cheap' cannot be read
          yesterday,1,7,x,2,1.5,UK                      | time 'yesterday' cannot be read
          2011-01-02 03:04:05,1,,x,2,1.5,UK             | the customer is empty
          2011-01-02 03:04:05,1,7,,2,1.5,UK             | the item is empty
          2011-01-02 03:04:05,1,7,x,2,1.5,"UK           | a quote is not closed
          2011-01-02 03:04:05,1,7,"x"y,2,1.5,UK         | text behind a closing quote
          2011-01-02 03:04:05,1,7,x"y,2,1.5,UK          | a quote inside a field
          """)
  void refusesAMalformedLineByItsNumber(String line, String what) {
    String good = "2011-01-02 03:04:05,1,7,x,2,1.5,UK\n";
    assertThatThrownBy(() -> read(good + good + line))
        .isInstanceOf(MalformedOrderException.class)
        .hasMessageContaining(what)
        .hasMessageContaining("test.csv line 4");
  }

  @Test
  void refusesAFileWithoutHeader() {
    assertThatThrownBy(() -> OrderFile.read("test.csv", new StringReader("1,2,3\n")))
        .hasMessageContaining("the header is missing; test.csv line 1");
  }

  @Test
  void replayNeverHoldsLessThanNothingAndForgetsEmptyLines() throws IOException {
    List<OrderLine> orders =
        read(
            """
            2011-01-02 03:04:05,1,7,x,2,1.5,UK
            2011-01-02 03:04:06,C1,7,x,-5,1.5,UK
            2011-01-02 03:04:07,2,7,x,3,1.5,UK
            2011-01-02 03:04:08,3,7,y,1,1.5,UK
            2011-01-02 03:04:09,C3,7,y,-1,1.5,UK
            """);

    assertThat(OrderFile.replay(orders)).containsOnlyKeys(new CartLine("7", "x")).containsValue(3);
  }

  private static List<OrderLine> read(String lines) throws IOException {
    return OrderFile.read("test.csv", new StringReader(OrderFile.HEADER + "\n" + lines));
  }
}
