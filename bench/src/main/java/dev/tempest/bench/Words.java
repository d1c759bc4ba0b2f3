package dev.tempest.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is said of an experiment, in a file beside these classes: two lines, an id with a title, and
 * where it is described; then paragraphs under {@code # help}, {@code # examples}, {@code # paper},
 * {@code # ours} and {@code # differs}.
 */
record Words(String id, String title, String source, Map<String, List<String>> sections) {
  static Words of(String experiment) {
    String[] parts = read(experiment + ".txt").split("\n# ", -1);
    String[] head = parts[0].split(": |\n", 3);
    Map<String, List<String>> sections = new TreeMap<>();
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      int end = part.indexOf('\n');
      sections.put(part.substring(0, end), List.of(part.substring(end).strip().split("\n\n", -1)));
    }
    return new Words(head[0], head[1], head[2].strip(), sections);
  }

  /** The paragraphs under a heading; none if it is not there. */
  List<String> under(String heading) {
    return sections.getOrDefault(heading, List.of());
  }

  static String read(String file) {
    try (InputStream in = Words.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("no " + file + " beside the classes");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
