package dev.tempest.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the README print what stands behind them, run by one shell on other ports. What
 * it builds this build has made already.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReadmeTest {
  private static final int INSTANCES = 3;
  private static final int SHOWN_PORT = 8080;
  private static final String RESULT = " +# ";

  /** Ends all that the shell has started, however it ends itself. */
  private static final String BEFORE = "trap 'kill -9 $(jobs -p)' EXIT\nexec 3>&1 >log 2>&1\n";

  private static final String AWAIT_STARTED =
      """
      until [ "$(grep -c 'Started ShopApplication' log)" = %d ] && grep -q 'in turn' log; do
        sleep 0.1
        [ "$(jobs -rp | wc -l)" = %d ] || exit 1
      done
      """
          .formatted(INSTANCES, INSTANCES + 1);

  @Test
  void itsCommandsPrintWhatItSays(@TempDir Path folder) throws Exception {
    List<String> blocks = shellBlocks();
    assertThat(blocks).hasSize(4);
    assertThat(blocks.getFirst())
        .contains("-Pquick -pl examples/spring-boot ", "cd examples/spring-boot/target/quick\n");
    List<String> shown = new ArrayList<>();
    StringBuilder script = new StringBuilder(BEFORE).append(blocks.get(1)).append(AWAIT_STARTED);
    for (String line : (blocks.get(2) + blocks.get(3)).lines().toList()) {
      String[] parts = line.split(RESULT, 2);
      script.append(parts[0].replaceFirst("^curl ", "curl -sS "));
      if (parts.length > 1) {
        shown.add(parts[1]);
        script.append(" >&3; echo >&3");
      }
      script.append('\n');
    }
    assertThat(shown).hasSizeGreaterThan(5);
    assertThat(run(onPortsOfItsOwn(script.toString()), folder))
        .as(() -> log(folder))
        .containsExactlyElementsOf(shown);
  }

  private static List<String> shellBlocks() throws IOException {
    return Pattern.compile("^```sh\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(Files.readString(Path.of("README.md")))
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  private static String onPortsOfItsOwn(String script) {
    List<Integer> ports = FreePorts.find(INSTANCES + 1);
    return Pattern.compile("\\b808[0-" + INSTANCES + "]\\b")
        .matcher(script)
        .replaceAll(shown -> ports.get(Integer.parseInt(shown.group()) - SHOWN_PORT).toString());
  }

  private static List<String> run(String script, Path folder)
      throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", script.replace("java -cp '*'", java.toString()))
            .directory(folder.toFile())
            .redirectError(folder.resolve("errors").toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
    builder.environment().put("TEMPEST_CLUSTER", "readme-" + ProcessHandle.current().pid());
    builder.environment().put("TEMPEST_LISTEN", "127.0.0.1");
    Process shell = builder.start();
    try {
      String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      shell.waitFor();
      return printed.lines().toList();
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }

  private static String log(Path folder) {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }
}
