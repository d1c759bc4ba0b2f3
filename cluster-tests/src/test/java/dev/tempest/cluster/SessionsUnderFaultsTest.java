package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Web applications with shared sessions suffer {@link Blows} and are redeployed one after the
 * other, with a class of attributes that others lack, while browsers go to any of them: no answered
 * write is lost, no answer shows less than an earlier one of its browser, no session ends, and no
 * server fails for an attribute that it cannot read. For a soak, {@code -DfaultSeconds=600
 * -Dbrowsers=64}.
 */
final class SessionsUnderFaultsTest implements Blows.Servers {
  private static final long FAULTS_MILLIS = 1_000 * Long.getLong("faultSeconds", 10);
  private static final int BROWSERS = Integer.getInteger("browsers", 8);
  private static final int CLIENT_HOST = Blows.HOSTS.size() + 1;
  private static final int HEAP_MEGABYTES = 256;
  private static final int LOST_PERCENT = 1;

  /** Of each browser. */
  private static final int ANSWERS = 20;

  private static final List<String> ADDRESSES =
      Blows.HOSTS.stream().map(host -> Network.PREFIX + host + ":7400").toList();

  @TempDir Path folder;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** Else asynchronous, each write at two servers before it is answered. */
  private final boolean isLinearizable = random.nextBoolean();

  private final List<HostProcess> all = new ArrayList<>();

  @Test
  void losesNothingThatWasAnswered() throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    String run =
        "-Dseed=%d, %s sessions".formatted(seed, isLinearizable ? "linearizable" : "asynchronous");
    try (Network network = Network.of(CLIENT_HOST)) {
      Blows blows = new Blows(network, this, random);
      blows.start();
      HostProcess browsers =
          launch(
              network,
              CLIENT_HOST,
              SessionBrowsers.class,
              List.of(String.valueOf(isLinearizable), String.valueOf(BROWSERS)));
      browsers.awaitReady();
      awaitAnswers(browsers, "before all faults");
      long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FAULTS_MILLIS);
      do {
        blows.round();
        blows.redeploy();
      } while (System.nanoTime() < endNanos);
      awaitAnswers(browsers, "after " + blows);
      String result = browsers.ask("end");
      assertThat(result).as("after " + blows).endsWith("nothing wrong");
      System.out.println("cluster tests: %s, %d faults: %s".formatted(run, blows.count(), result));
    } catch (Exception | AssertionError failed) {
      all.forEach(each -> System.out.println("--- " + each + ":\n" + each.output()));
      throw new AssertionError(run, failed);
    }
  }

  private static void awaitAnswers(HostProcess browsers, String when) throws Exception {
    browsers.ask("mark");
    eventually(
        ANSWERS + " answers for each browser " + when,
        () -> Integer.parseInt(browsers.ask("least")) >= ANSWERS,
        () -> browsers.ask("least") + " for one of them");
  }

  /** The releases take turns. */
  @Override
  public HostProcess start(Network network, int host) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(String.valueOf(LOST_PERCENT));
    arguments.add(String.valueOf(isLinearizable));
    arguments.add(String.valueOf(all.size() % 2 == 0));
    arguments.add(ADDRESSES.get(host - 1));
    arguments.addAll(ADDRESSES);
    return launch(network, host, SessionServer.class, arguments);
  }

  @Override
  public void started(HostProcess server) {
    // It serves once it is ready.
  }

  private HostProcess launch(Network network, int host, Class<?> program, List<String> arguments)
      throws IOException {
    String name = program.getSimpleName() + "." + (all.size() + 1);
    String[] rest = arguments.toArray(String[]::new);
    HostProcess process =
        HostProcess.start(network, host, HEAP_MEGABYTES, program, name, folder, rest);
    all.add(process);
    return process;
  }
}
