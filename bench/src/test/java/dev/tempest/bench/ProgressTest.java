package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter said = new StringWriter();
  private long nowNanos = Long.MAX_VALUE; // Nanosecond clocks wrap.

  @Test
  void withoutATerminalOneLineAMinute() {
    Progress progress = progress(false);
    progress.say("begins");
    nowNanos += Duration.ofSeconds(60).toNanos();
    progress.say("first");
    nowNanos += Duration.ofSeconds(59).toNanos();
    progress.say("too soon");
    nowNanos += Duration.ofSeconds(1).toNanos();
    progress.say("second");
    progress.end();
    assertThat(said.toString().lines()).containsExactly("first", "second");
  }

  @Test
  void onATerminalOneLineThatChanges() {
    Progress progress = progress(true);
    progress.say("a");
    progress.say("b");
    progress.end();
    assertThat(said.toString()).isEqualTo("\r\u001b[Ka\r\u001b[Kb\r\u001b[K");
  }

  private Progress progress(boolean onTerminal) {
    return new Progress(new PrintWriter(said), onTerminal, () -> nowNanos);
  }
}
