package dev.tempest.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Samples in the text format of Prometheus, version 0.0.4.
 *
 * @param samples by their names and labels, as they are written
 */
record Scrape(Map<String, Double> samples) {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\]|\\\\[\\\\n\"])*\"";
  private static final Pattern COMMENT =
      Pattern.compile("# (?:HELP " + NAME + " .*|TYPE " + NAME + " (?:counter|gauge|summary))");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(" + NAME + "(?:\\{" + LABEL + "(?:," + LABEL + ")*\\})?) (NaN|[+-]?[0-9.E+-]+)");

  /** Fails if a line is neither a sample nor a comment, or a sample comes twice. */
  static Scrape parse(String text) {
    Map<String, Double> samples = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("#")) {
        assertThat(line).matches(COMMENT);
      } else {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        assertThat(samples.put(sample.group(1), Double.valueOf(sample.group(2)))).as(line).isNull();
      }
    }
    return new Scrape(samples);
  }

  double of(String sample) {
    assertThat(samples).containsKey(sample);
    return samples.getOrDefault(sample, Double.NaN);
  }
}
