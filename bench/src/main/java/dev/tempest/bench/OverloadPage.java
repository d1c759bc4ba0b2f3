package dev.tempest.bench;

import dev.tempest.bench.OverloadBenchmark.Outcome;
import dev.tempest.bench.OverloadBenchmark.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;

/** Servers under a flood beside what the Tempest paper says of its own. */
final class OverloadPage {
  private OverloadPage() {}

  static void write(Path folder, Result result, OverloadRun merged) throws IOException {
    PaperPage page =
        new PaperPage("T5", "Recovery from overload", "Tempest (DSN 2008), section 4.2, Figure 5");
    page.paper(
        "A cart on six servers, gossip every 40 ms, one update every 20 ms and eight threads that"
            + " read. From 10 s on, for 30 s, 128 rogue clients multicast requests, and three"
            + " victims have other work; the updates end with the attack.");
    page.ours(
        "The same in processes of one machine, by both ways to reconcile. A result is stale if it"
            + " misses an update that had been acknowledged before the read began.");
    page.compare(
        "last stale result after the attack",
        "about 25 s",
        String.format(Locale.ROOT, "%.1f s", merged.lastStaleAfterAttackMillis() / 1e3));
    for (Outcome outcome : result.outcomes()) {
      page.compare(
          "acknowledged updates lost, " + outcome.reconcile(),
          "not said",
          "%,d of %,d".formatted(Collections.max(outcome.lost()), outcome.acknowledged()));
    }
    page.picture(folder.resolve("overload-stale.svg"), "Stale results in two seconds each.");
    page.differs(
        "All processes share one machine, so that the attack slows the client and the other"
            + " servers, too.");
    page.write(folder);
  }
}
