package dev.tempest.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.Update;
import dev.tempest.state.State;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several executions of one instance, each on its thread. */
class ConcurrentExecutionsTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 50;

  private final CyclicBarrier all = new CyclicBarrier(THREADS);
  private final ServiceInstance service =
      ServiceInstance.of(Meeting.class, state -> new MeetingService(state, all));
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  /** A service in which executions meet. */
  public interface Meeting {
    /** Writes, waits until all others have written, and returns what it sees. */
    @Update
    String meet(String who);
  }

  private record MeetingService(Map<String, String> guests, State state, CyclicBarrier all)
      implements Meeting {
    MeetingService(State state, CyclicBarrier all) {
      this(state.map("guests", String.class, String.class), state, all);
    }

    @Override
    public String meet(String who) {
      String drawn = who + state.action().random().nextInt();
      guests.put(who, drawn);
      try {
        all.await(1, TimeUnit.MINUTES);
      } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
        throw new IllegalStateException(alone);
      }
      guests.put("last", drawn);
      return state.action().now().toEpochMilli() + guests.toString();
    }
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void eachExecutionSeesItsVersionItsWritesAndItsTime() throws Exception {
    Version[] versions = new Version[THREADS];
    List<List<Execution>> histories = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      versions[i] = service.emptyVersion();
      histories.add(new ArrayList<>());
    }
    for (int round = 0; round < ROUNDS; round++) {
      List<Future<Execution>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Version before = versions[i];
        String who = "guest " + i + round % 5;
        long seed = (long) THREADS * round + i;
        running.add(threads.submit(() -> meet(service, before, who, seed)));
      }
      for (int i = 0; i < THREADS; i++) {
        Execution execution = running.get(i).get();
        histories.get(i).add(execution);
        versions[i] = execution.after();
      }
    }
    for (int i = 0; i < THREADS; i++) {
      assertThat(results(histories.get(i))).isEqualTo(alone(i));
    }
  }

  /** What the executions of one thread give where no other is under way. */
  private static List<Result> alone(int thread) {
    ServiceInstance instance =
        ServiceInstance.of(Meeting.class, state -> new MeetingService(state, new CyclicBarrier(1)));
    Version version = instance.emptyVersion();
    List<Execution> history = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      String who = "guest " + thread + round % 5;
      Execution execution = meet(instance, version, who, THREADS * round + thread);
      history.add(execution);
      version = execution.after();
    }
    return results(history);
  }

  private static List<Result> results(List<Execution> history) {
    assertThat(history).allMatch(each -> each.result() instanceof Result.Returned);
    return history.stream().map(Execution::result).toList();
  }

  private static Execution meet(ServiceInstance service, Version before, String who, long seed) {
    ServiceMethod meet = service.description().methods().getFirst();
    Bytes arguments = meet.encode(new Object[] {who});
    return service.update(before, meet.number(), arguments, seed, seed);
  }
}
