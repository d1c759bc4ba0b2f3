package dev.tempest.examples.cart;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A file of order lines: comma-separated values with a header, fields quoted where they contain a
 * comma or a quote.
 *
 * <p>Stateless and thread-safe.
 */
public final class OrderFile {
  /** The header that every order file begins with. */
  static final String HEADER = "time,invoice,customer,item,quantity,price,country";

  private static final String SAMPLE = "online-retail-sample.csv";
  private static final int COLUMNS = 7;

  /** A longer line is no order; refusing it keeps a wrong file from being read into memory. */
  private static final int LINE_MAX_CHARS = 4_096;

  private static final int LINES_MAX = 10_000_000;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  private OrderFile() {}

  /**
   * The 28,000 order lines of a British online shop, December 2010 to December 2011, sorted by
   * time, that come with Tempest. Their source and licence are in the file {@code ATTRIBUTION.md}
   * beside them.
   */
  public static List<OrderLine> sample() {
    InputStream bytes = OrderFile.class.getResourceAsStream(SAMPLE);
    if (bytes == null) {
      throw new IllegalStateException(
          SAMPLE + " is missing; beside " + OrderFile.class.getName() + "; build Tempest again");
    }
    try (var reader = new InputStreamReader(bytes, StandardCharsets.UTF_8)) {
      return read(SAMPLE, reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads all order lines.
   *
   * @param name of the file, for messages
   * @throws MalformedOrderException if a line is not an order line
   */
  public static List<OrderLine> read(String name, Reader reader) throws IOException {
    var lines = new BufferedReader(reader);
    if (!HEADER.equals(lines.readLine())) {
      throw new MalformedOrderException(name, 1, "the header is missing");
    }
    var orders = new ArrayList<OrderLine>();
    long number = 2;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (orders.size() == LINES_MAX) {
        throw new MalformedOrderException(name, number, "more than " + LINES_MAX + " lines");
      }
      orders.add(parse(name, number, line));
      number++;
    }
    return List.copyOf(orders);
  }

  /**
   * The carts after all of the orders, done one after the other. It is what replicas are compared
   * with, so it shares no code with the service.
   */
  public static SortedMap<CartLine, Integer> replay(List<OrderLine> orders) {
    var carts = new TreeMap<CartLine, Integer>();
    for (OrderLine order : orders) {
      int count = Math.addExact(carts.getOrDefault(order.cartLine(), 0), order.quantity());
      if (count > 0) {
        carts.put(order.cartLine(), count);
      } else {
        carts.remove(order.cartLine());
      }
    }
    return carts;
  }

  private static OrderLine parse(String file, long number, String line) {
    if (line.length() > LINE_MAX_CHARS) {
      throw new MalformedOrderException(
          file, number, "the line has " + line.length() + " characters, over " + LINE_MAX_CHARS);
    }
    List<String> fields = fields(file, number, line);
    if (fields.size() != COLUMNS) {
      throw new MalformedOrderException(
          file, number, fields.size() + " fields instead of " + COLUMNS + ": " + line);
    }
    String customer = notEmpty(file, number, "customer", fields.get(2));
    String item = notEmpty(file, number, "item", fields.get(3));
    String field = "time '" + fields.get(0);
    try {
      LocalDateTime time = LocalDateTime.parse(fields.get(0), TIME);
      field = "quantity '" + fields.get(4);
      int quantity = Integer.parseInt(fields.get(4));
      field = "price '" + fields.get(5);
      BigDecimal price = new BigDecimal(fields.get(5));
      if (quantity == 0 || quantity == Integer.MIN_VALUE) {
        throw new MalformedOrderException(file, number, "a quantity cannot be " + quantity);
      }
      return new OrderLine(time, fields.get(1), customer, item, quantity, price, fields.get(6));
    } catch (DateTimeException | NumberFormatException e) {
      MalformedOrderException malformed =
          new MalformedOrderException(file, number, field + "' cannot be read");
      malformed.initCause(e);
      throw malformed;
    }
  }

  private static String notEmpty(String file, long number, String name, String value) {
    if (value.isEmpty()) {
      throw new MalformedOrderException(file, number, "the " + name + " is empty");
    }
    return value;
  }

  private static List<String> fields(String file, long number, String line) {
    var fields = new ArrayList<String>(COLUMNS);
    int at = 0;
    while (true) {
      var field = new StringBuilder();
      at =
          at < line.length() && line.charAt(at) == '"'
              ? quoted(file, number, line, at + 1, field)
              : plain(file, number, line, at, field);
      fields.add(field.toString());
      if (at == line.length()) {
        return fields;
      }
      at++; // The comma.
    }
  }

  /** Takes a field without quotes; returns where it ends. */
  private static int plain(String file, long number, String line, int from, StringBuilder field) {
    int comma = line.indexOf(',', from);
    int end = comma < 0 ? line.length() : comma;
    field.append(line, from, end);
    if (field.indexOf("\"") >= 0) {
      throw new MalformedOrderException(
          file, number, "a quote inside a field that has none around");
    }
    return end;
  }

  /**
   * Takes a field from behind its opening quote; returns where it ends, its closing quote passed.
   */
  private static int quoted(String file, long number, String line, int from, StringBuilder field) {
    int at = from;
    while (at < line.length()) {
      char c = line.charAt(at);
      boolean doubled = c == '"' && at + 1 < line.length() && line.charAt(at + 1) == '"';
      if (c != '"' || doubled) {
        field.append(c);
        at += doubled ? 2 : 1;
      } else if (at + 1 == line.length() || line.charAt(at + 1) == ',') {
        return at + 1;
      } else {
        throw new MalformedOrderException(file, number, "text behind a closing quote");
      }
    }
    throw new MalformedOrderException(file, number, "a quote is not closed");
  }
}
