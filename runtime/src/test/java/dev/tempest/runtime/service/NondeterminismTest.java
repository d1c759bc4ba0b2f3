package dev.tempest.runtime.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of nondeterminism, and beside each what may be done instead: two tables of code. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NondeterminismTest {
  private static final String SHARED =
      """
      package samples;
      import java.io.*;
      import java.net.*;
      import java.nio.charset.*;
      import java.nio.file.*;
      import java.text.*;
      import java.time.*;
      import java.time.format.*;
      import java.util.*;
      import java.util.concurrent.*;
      import java.util.concurrent.atomic.*;
      import java.util.concurrent.locks.*;
      import java.util.stream.*;
      import java.util.Formatter;

      enum Color { RED, GREEN }
      record Point(int x, String name) {}
      record Tag(Color color, int number) {}
      record Nested(List<Color> colors) {}
      record Names(List<String> names) {}
      record Blob(byte[] bytes) {}
      record Named(Color color) {
        @Override public int hashCode() { return color.name().hashCode(); }
      }
      class Valued {
        private final Color color = Color.RED;
        @Override public boolean equals(Object other) { return other instanceof Valued; }
        @Override public int hashCode() { return Objects.hash(color, 7); }
      }
      record Chain(Chain next, List<Chain> all) {}
      class Bare {}
      class Custom {
        @Override public int hashCode() { return 7; }
        @Override public String toString() { return "custom"; }
      }
      """;

  /**
   * A line of a table.
   *
   * @param found what, after {@code refused} or {@code warned}
   * @param name of its classes, before {@code Found} and {@code Fine}
   */
  record Row(String found, String code, String control, String name, boolean isMembers) {
    String sources() {
      return source("Found", code) + source("Fine", control);
    }

    private String source(String suffix, String body) {
      String type = name + suffix;
      String members =
          isMembers
              ? body.replace("Sample(", type + "(")
              : "void go(String x) throws Exception { "
                  + body
                  + " }"
                  + " static void use(Object value) {}";
      return "final class " + type + " { " + members + " }\n";
    }

    @Override
    public String toString() {
      return found + " in " + code;
    }
  }

  private final List<Row> rows = new ArrayList<>();
  private URLClassLoader loader;

  @BeforeAll
  void compile(@TempDir Path folder) throws IOException {
    read("calls.txt", false);
    read("fields.txt", true);
    StringBuilder sources = new StringBuilder(SHARED);
    rows.forEach(row -> sources.append(row.sources()));
    Path file = Files.writeString(folder.resolve("Samples.java"), sources);
    StringWriter said = new StringWriter();
    int failed =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                new PrintWriter(said),
                new PrintWriter(said),
                "-g",
                "-nowarn",
                "-d",
                folder.toString(),
                file.toString());
    assertThat(failed).as(said.toString()).isZero();
    loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null);
  }

  @AfterAll
  void close() throws IOException {
    loader.close();
  }

  private void read(String table, boolean isMembers) throws IOException {
    try (InputStream file = NondeterminismTest.class.getResourceAsStream(table)) {
      byte[] lines = Objects.requireNonNull(file, table).readAllBytes();
      for (String line : new String(lines, UTF_8).split("\n", -1)) {
        if (!line.isEmpty() && !line.startsWith("#")) {
          String[] columns = line.split(" \\| ", -1);
          String found = columns[0] + " " + columns[1];
          rows.add(new Row(found, columns[2], columns[3], "Row" + rows.size(), isMembers));
        }
      }
    }
  }

  List<Row> rows() {
    return rows;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isFound(Row row) throws Exception {
    assertThat(found(row.name() + "Found")).contains(row.found());
    assertThat(found(row.name() + "Fine")).isEmpty();
  }

  private List<String> found(String name) throws ClassNotFoundException {
    Class<?> service = Class.forName("samples." + name, false, loader);
    return DeterminismCheck.of(service, List.of()).stream()
        .map(each -> (each.isCertain() ? "refused " : "warned ") + each.what())
        .toList();
  }
}
