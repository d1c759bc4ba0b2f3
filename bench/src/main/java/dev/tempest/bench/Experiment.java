package dev.tempest.bench;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is found out by measuring, and how. What is asked and compared is said in a file of its
 * name, see {@link Words}.
 *
 * @param name of its command
 * @param settings what can be chosen
 * @param measuring starts what is measured, and adds points to its run
 * @param reporting shows the points on a page, from these alone
 */
record Experiment(String name, List<Setting> settings, Measuring measuring, Reporting reporting) {

  /** Measures. */
  @FunctionalInterface
  interface Measuring {
    /**
     * Measures, until all processes have ended.
     *
     * @throws IOException if a process does not start or fails; the log of the run says why
     */
    void measure(Run run) throws IOException, InterruptedException;
  }

  /** Shows what was found. */
  @FunctionalInterface
  interface Reporting {
    /** Adds tables, pictures, goals and claims to the page. */
    void report(Points points, Settings settings, Page page);
  }

  /** What is asked and measured, line by line. */
  List<String> help() {
    return Words.of(name).under("help").stream()
        .flatMap(paragraph -> Stream.of(paragraph.replace('\n', ' '), ""))
        .toList();
  }

  /** Command lines, without {@code tempest bench}. */
  List<String> examples() {
    return String.join("\n", Words.of(name).under("examples")).lines().toList();
  }
}
