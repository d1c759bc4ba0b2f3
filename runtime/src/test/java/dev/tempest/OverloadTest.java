package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Outcome.Reason;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.Counter;
import dev.tempest.state.State;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More updates than servers can execute. */
@Timeout(120)
class OverloadTest {
  private static final int UNDER_WAY = 1_000;

  /** As many of them as this take longer than a server lets one wait. */
  private static final long WORK_NANOS = 2_000_000;

  /** A service whose updates take a while. */
  public interface Laborious {
    /** Counts one. */
    @Update
    void work();

    /** How many there were. */
    @Read
    long done();
  }

  private static final class LaboriousService implements Laborious {
    private final Counter done;

    LaboriousService(State state) {
      this.done = state.counter("done");
    }

    @Override
    public void work() {
      long startNanos = System.nanoTime();
      while (System.nanoTime() - startNanos < WORK_NANOS) {
        Thread.onSpinWait();
      }
      done.increment();
    }

    @Override
    public long done() {
      return done.get();
    }
  }

  @Test
  void whatIsAnsweredAsUnableIsExecutedNowhereAndAllElseOnce() throws Exception {
    try (TestCluster cluster =
            TestCluster.of(
                3,
                true,
                () ->
                    Map.of(
                        "laborious", ServiceInstance.of(Laborious.class, LaboriousService::new)));
        FrontEnd frontEnd = cluster.frontEnd()) {
      Laborious service = frontEnd.service(Laborious.class);
      AtomicInteger done = new AtomicInteger();
      AtomicInteger unable = new AtomicInteger();
      Queue<Outcome<Void>> others = new ConcurrentLinkedQueue<>();
      Semaphore room = new Semaphore(UNDER_WAY);
      while (unable.get() == 0 && others.isEmpty()) { // As long as it takes to overload all.
        room.acquire();
        var unused =
            frontEnd
                .async(service, OverloadTest::work)
                .thenAccept(outcome -> {
                  switch (outcome) {
                    case Outcome.Ok<Void> ok -> done.incrementAndGet();
                    case Outcome.Unable<Void>(Reason reason, String detail)
                        when reason == Reason.OVERLOADED ->
                        unable.incrementAndGet();
                    default -> others.add(outcome);
                  }
                  room.release();
                });
      }
      room.acquire(UNDER_WAY);

      assertThat(others).isEmpty();
      assertThat(done.get()).isPositive();
      int executed = done.get();
      eventually(
          "%d done everywhere".formatted(executed),
          () -> cluster.nodes.stream().allMatch(node -> executed(node) == executed));
      assertThat(service.done()).isEqualTo(executed);
      assertThat(cluster.nodes.getFirst().counters()).containsKey("UPDATES_SHED");
      service.work(); // All is as before.
    }
  }

  private static Void work(Laborious service) {
    service.work();
    return null;
  }

  private static long executed(LocalNode node) {
    try {
      return node.status().services().getFirst().executed();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
