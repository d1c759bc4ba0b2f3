package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.runtime.FreePorts;
import dev.tempest.service.Update;
import dev.tempest.state.Counter;
import dev.tempest.state.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Java Flight Recorder is told, as it reads it back. */
@Timeout(60)
final class FlightTest {
  private static final int SLOW_MILLIS = 60;

  /** A service with a slow method. */
  public interface Slow {
    /** Takes its time; says how often it has. */
    @Update
    long work();
  }

  private static final class SlowService implements Slow {
    private final Counter times;

    SlowService(State state) {
      times = state.counter("times");
    }

    @Override
    public long work() {
      long beganNanos = System.nanoTime();
      while (System.nanoTime() - beganNanos < TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS)) {
        Thread.onSpinWait();
      }
      times.add(1);
      return times.get();
    }
  }

  /** It reads a clock, if only to take long. */
  private static final ServiceOptions UNCHECKED =
      ServiceOptions.builder().unchecked(SlowService.class.getName()).build();

  @TempDir private Path folder;

  @Test
  void tellsOfSlowMethodsOfStatesThatCameAndOfCheckpoints() throws IOException {
    try (Recording recording = new Recording();
        JoinedNodes nodes = new JoinedNodes()) {
      recording.start();
      NodeConfig config =
          nodes.config().toBuilder().checkpointFolder(folder.resolve("node").toString()).build();
      Node node = nodes.join(config);
      node.host("slow", Slow.class, SlowService::new, UNCHECKED);
      try (FrontEnd frontEnd = node.frontEnd()) {
        assertThat(frontEnd.service("slow", Slow.class).work()).isOne();
      }
      nodes.join().host("slow", Slow.class, SlowService::new, UNCHECKED);
      node.close();
      recording.stop();

      List<RecordedEvent> events = read(recording);
      assertThat(events)
          .anySatisfy(event -> {
            isOf(event, "SlowMethod", "slow");
            assertThat(event.getString("method")).isEqualTo("method work");
            assertThat(event.getDuration("took")).isBetween(millis(SLOW_MILLIS), millis(60_000));
          })
          .anySatisfy(event -> {
            isOf(event, "SlowRequest", "slow");
            assertThat(event.getBoolean("update")).isTrue();
          })
          .anySatisfy(event -> {
            isOf(event, "SlowCall", "slow");
            assertThat(event.getString("method")).isEqualTo("work");
            assertThat(event.getString("failure")).isEmpty();
          })
          .anySatisfy(event -> {
            isOf(event, "StateTransfer", "slow");
            assertThat(event.getString("from")).isEqualTo(node.members().getFirst());
            assertThat(event.getLong("updates")).isOne();
          })
          .anySatisfy(event -> {
            isOf(event, "Checkpoint", "slow");
            assertThat(event.getBoolean("written")).isTrue();
          });
    }
  }

  @Test
  void tellsWhoLeads() throws InterruptedException {
    CountDownLatch leads = new CountDownLatch(1);
    String address = "127.0.0.1:" + FreePorts.find(1).getFirst();
    try (RecordingStream stream = new RecordingStream();
        JoinedNodes nodes = new JoinedNodes()) {
      Predicate<RecordedEvent> begins =
          event -> event.getString("service").equals("slow") && event.getBoolean("leads");
      stream.onEvent(
          "dev.tempest.LeaderChange",
          event -> {
            if (begins.test(event)) {
              leads.countDown();
            }
          });
      stream.startAsync();
      NodeConfig alone =
          nodes.config().toBuilder().listen(address).members(address).multicastPort(0).build();
      nodes
          .join(alone)
          .host(
              "slow",
              Slow.class,
              SlowService::new,
              ServiceOptions.builder()
                  .consistency(Consistency.LINEARIZABLE)
                  .unchecked(SlowService.class.getName())
                  .build());
      leads.await();
    }
  }

  private List<RecordedEvent> read(Recording recording) throws IOException {
    Path file = folder.resolve("flight.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file);
  }

  private static void isOf(RecordedEvent event, String name, String service) {
    assertThat(event.getEventType().getName()).isEqualTo("dev.tempest." + name);
    assertThat(event.getString("service")).isEqualTo(service);
  }

  private static Duration millis(int millis) {
    return Duration.ofMillis(millis);
  }
}
