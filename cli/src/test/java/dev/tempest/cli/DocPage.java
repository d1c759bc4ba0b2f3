package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A page of the documentation and the blocks of code in it. */
record DocPage(String text) {
  private static final Pattern IMPORT = Pattern.compile("^import .*\n", Pattern.MULTILINE);

  /** The page at this path below the root of the project. */
  static DocPage of(String path) {
    try {
      return new DocPage(Files.readString(Path.of("..").resolve(path)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The blocks in one language, in their order. */
  List<String> blocks(String language) {
    return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(text)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /**
   * Compiles all Java blocks into a class {@code Page}: blocks that declare what is public become
   * its members, others the bodies of its methods {@code block0}, {@code block1}...
   */
  void compile(Path classes) {
    List<String> blocks = blocks("java");
    assertThat(blocks).isNotEmpty();
    Set<String> imports = new LinkedHashSet<>();
    StringBuilder members = new StringBuilder();
    for (int i = 0; i < blocks.size(); i++) {
      IMPORT.matcher(blocks.get(i)).results().forEach(line -> imports.add(line.group()));
      String block = IMPORT.matcher(blocks.get(i)).replaceAll("").stripLeading();
      boolean declares = Stream.of("public ", "static ", "@Bean\n").anyMatch(block::startsWith);
      members.append(
          declares
              ? block
              : "static void block%d() throws InterruptedException {%n%s}%n".formatted(i, block));
    }
    compile("Page", source(String.join("", imports), members.toString()), classes);
  }

  /** What the blocks of a page may take for granted. */
  private static String source(String imports, String members) {
    String first = members.contains("void block0()") ? "" : "static void block0() {}";
    return """
    import dev.tempest.*;
    import dev.tempest.service.*;
    import dev.tempest.state.*;
    import java.time.*;
    import java.util.*;
    import java.util.concurrent.*;
    import java.util.stream.*;
    %s
    public class Page {
      @interface Bean {} // Spring's.
      record Order(String customer, String item) {}
      record OrderKey(String shop, int number) {}
      static Node node;
      static Map<String, Long> stock;
      static List<Order> orders;
      static Map<String, Integer> flags;
      static Map<String, Integer> carts;
    %s
      public static void main(String[] arguments) throws InterruptedException {
        block0();
        System.exit(0);
      }
    %s
    }
    """
        .formatted(imports, members, first);
  }

  /** Compiles a file with one public class. */
  static void compile(String name, String source, Path classes) {
    var file =
        new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter messages = new StringWriter();
    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(messages, null, null, List.of("-d", classes.toString()), null, List.of(file))
            .call();
    assertThat(compiled).as("%s", messages).isTrue();
  }

  /** Starts a class that was compiled, as a member of a cluster that only this test knows. */
  static Process start(String className, Path classes, String cluster) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes + ":" + System.getProperty("java.class.path"),
                className)
            .directory(classes.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("TEMPEST_CLUSTER", cluster);
    return builder.start();
  }
}
