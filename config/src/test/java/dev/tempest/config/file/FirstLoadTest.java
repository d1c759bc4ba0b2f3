package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process pays for configuration that has none: it starts a Java of its own to see. */
final class FirstLoadTest {
  @Test
  void nothingThatReadsIsLoadedWhereNothingIsWritten(@TempDir Path folder) throws Exception {
    assertThat(classesLoaded(folder))
        .contains("dev.tempest.config.NodeConfig ")
        .doesNotContain("snakeyaml", "dev.tempest.config.file.NodeReader", "YamlMapping");
  }

  @Test
  void theReaderIsLoadedWhereThereIsAFile(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve(NodeSettings.FILE), "cluster: shop\n");

    assertThat(classesLoaded(folder)).contains("snakeyaml", "dev.tempest.config.file.NodeReader");
  }

  private static String classesLoaded(Path folder) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load",
                "-cp",
                System.getProperty("java.class.path"),
                Load.class.getName())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /** The main class of the process. */
  static final class Load {
    private Load() {}

    /** Loads the configuration of the working directory. */
    public static void main(String[] arguments) {
      NodeConfig.load();
    }
  }
}
