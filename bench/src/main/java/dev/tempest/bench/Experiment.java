package dev.tempest.bench;

import java.io.IOException;
import java.util.List;

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
  @FunctionalInterface
  interface Measuring {
    /**
     * Measures, until all processes have ended.
     *
     * @throws IOException if a process does not start or fails; the log of the run says why
     */
    void measure(Run run) throws IOException, InterruptedException;
  }

  @FunctionalInterface
  interface Reporting {
    /** Adds tables, pictures, goals and claims to the page. */
    void report(Points points, Settings settings, Page page);
  }
}
