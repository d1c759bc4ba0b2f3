package dev.tempest.bench;

import java.io.IOException;
import java.util.List;

/**
 * What is found out by measuring, and how.
 *
 * @param name of its command
 * @param description of what is asked and measured, paragraph by paragraph
 * @param examples command lines, without {@code tempest bench}
 * @param settings what can be chosen
 * @param measuring starts what is measured, and adds points to its run
 * @param reporting makes the page of the points, from these alone
 */
public record Experiment(
    String name,
    List<String> description,
    List<String> examples,
    List<Setting> settings,
    Measuring measuring,
    Reporting reporting) {

  /** Measures. */
  @FunctionalInterface
  public interface Measuring {
    /**
     * Measures, until all processes have ended.
     *
     * @throws IOException if a process does not start or fails; the log of the run says why
     */
    void measure(Run run) throws IOException, InterruptedException;
  }

  /** Says what was found. */
  @FunctionalInterface
  public interface Reporting {
    /** Makes the page. */
    Page report(Points points, Settings settings);
  }
}
