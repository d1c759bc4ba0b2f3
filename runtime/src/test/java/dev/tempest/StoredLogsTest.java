package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.LinearizableServiceTest.Sum;
import dev.tempest.LinearizableServiceTest.SumService;
import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.protocol.checkpoint.Disk;
import dev.tempest.protocol.checkpoint.LogFiles;
import dev.tempest.runtime.Eventually;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.disk.FolderDisk;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Logs on disks: three members in this process, over loopback, that come back with what they had.
 */
class StoredLogsTest {
  private static final int ADDS = 100;

  @TempDir Path folder;

  private final List<String> members =
      FreePorts.find(3).stream().map(port -> "127.0.0.1:" + port).toList();

  private Node start(int member, String generation, Log log) {
    NodeConfig config =
        NodeConfig.builder()
            .listen(members.get(member))
            .members(members.toArray(String[]::new))
            .multicastPort(0)
            .checkpointFolder(place(member, generation).toString())
            .checkpointEvery(Duration.ofSeconds(1))
            .log(log)
            .collection(
                "orders", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build())
            .build();
    Node node = Tempest.join(config);
    ServiceOptions options = ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build();
    node.host("sum", Sum.class, SumService::new, options);
    return node;
  }

  private Path place(int member, String generation) {
    return folder.resolve(generation + member);
  }

  private List<Node> startAll(String generation, Log log) {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<CompletableFuture<Node>> starting = new ArrayList<>();
      for (int i = 0; i < members.size(); i++) {
        int member = i;
        starting.add(CompletableFuture.supplyAsync(() -> start(member, generation, log), threads));
      }
      return new ArrayList<>(starting.stream().map(CompletableFuture::join).toList());
    }
  }

  private FrontEnd frontEnd() {
    return FrontEnd.connect(
        FrontEndConfig.builder(members.toArray(String[]::new))
            .multicastPort(0)
            .deadline(TestCluster.PATIENCE)
            .build());
  }

  /** As if the machine had ended now: what is being written may be there in part. */
  private void copy(String from, String to) throws IOException {
    for (int member = 0; member < members.size(); member++) {
      copyFolder(place(member, from), place(member, to));
    }
  }

  private static void copyFolder(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        if (Files.exists(file)) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "MEMORY", mode = Mode.EXCLUDE)
  void whatWasAnsweredIsThereAfterAllHaveEndedAtOnce(Log log) throws Exception {
    long expected = 0;
    List<Node> nodes = startAll("first", log);
    for (String next : List.of("second", "third")) {
      try (FrontEnd frontEnd = frontEnd()) {
        Sum sum = frontEnd.service("sum", Sum.class);
        assertThat(sum.get()).isEqualTo(expected);
        for (int i = 0; i < ADDS; i++) {
          assertThat(sum.add(1)).isEqualTo(++expected);
          nodes.get(i % 3).<String, Long>map("orders").merge("all", 1L, Long::sum);
        }
        copy(next.equals("second") ? "first" : "second", next);
      }
      nodes.forEach(Node::close);
      nodes = startAll(next, log);
      for (Node node : nodes) {
        assertThat(node.<String, Long>map("orders").get("all")).isEqualTo(expected);
      }
    }
    nodes.forEach(Node::close);
  }

  @Test
  void whoHasADamagedLogJoinsAsAnother() throws Exception {
    List<Node> nodes = startAll("log", Log.DISK);
    try (Logged logged = new Logged();
        FrontEnd frontEnd = frontEnd()) {
      Sum sum = frontEnd.service("sum", Sum.class);
      for (int i = 1; i <= ADDS; i++) {
        assertThat(sum.add(1)).isEqualTo(i);
      }
      nodes.removeFirst().close();
      Path log = place(0, "log").resolve("sum.1.log");
      byte[] bytes = Files.readAllBytes(log);
      bytes[bytes.length / 2] ^= 1;
      Files.write(log, bytes);
      nodes.addFirst(start(0, "log", Log.DISK));
      assertThat(logged.says("The log of sum in ")).isTrue();
      assertThat(log.resolveSibling("sum.1.log.damaged")).exists();
      assertThat(sum.add(1)).isEqualTo(ADDS + 1);
      nodes.get(1).close();
      assertThat(sum.add(1)).isEqualTo(ADDS + 2);
    }
    nodes.forEach(Node::close);
  }

  @Test
  void whoseMachineHasStartedAgainWhileItReliedOnItJoinsAsAnother() throws Exception {
    List<Node> nodes = startAll("log", Log.ADAPTIVE);
    try (Logged logged = new Logged();
        FrontEnd frontEnd = frontEnd()) {
      Sum sum = frontEnd.service("sum", Sum.class);
      assertThat(sum.add(1)).isEqualTo(1);
      nodes.removeFirst().close();
      LogFiles files =
          new LogFiles(anotherLife(), NodeConfig.DEFAULT_CLUSTER, "sum", LogFiles.FILE_BYTES);
      long replica = files.read(null).replica();
      files.begin(replica);
      assertThat(files.rely(true)).isTrue(); // And there it ends.
      nodes.addFirst(start(0, "log", Log.ADAPTIVE));
      assertThat(logged.says("the machine has started again")).isTrue();
      assertThat(sum.add(1)).isEqualTo(2);
      nodes.get(1).close();
      assertThat(sum.add(1)).isEqualTo(3);
    }
    nodes.forEach(Node::close);
  }

  /** The disk of the first member in another life of its machine. */
  private Disk anotherLife() {
    FolderDisk disk = new FolderDisk(place(0, "log"));
    return (Disk)
        Proxy.newProxyInstance(
            Disk.class.getClassLoader(),
            new Class<?>[] {Disk.class},
            (proxy, method, arguments) ->
                method.getName().equals("life") ? "another" : method.invoke(disk, arguments));
  }

  @Test
  void aFolderThatWasCopiedIsNoSecondVote() throws Exception {
    List<Node> nodes = startAll("own", Log.DISK);
    try (Logged logged = new Logged();
        FrontEnd frontEnd = frontEnd()) {
      Sum sum = frontEnd.service("sum", Sum.class);
      assertThat(sum.add(1)).isEqualTo(1);
      nodes.removeLast().close();
      copyFolder(place(0, "own"), place(2, "copied"));
      try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
        Future<Node> copy = thread.submit(() -> start(2, "copied", Log.DISK));
        Eventually.eventually(
            "the copy says what is wrong",
            () -> logged.says("no other process lets it go on as the member that it was"));
        assertThat(sum.add(1)).isEqualTo(2);
        copy.cancel(true);
      }
      nodes.get(1).close();
      nodes.set(1, start(1, "own", Log.DISK));
      assertThat(sum.add(1)).isEqualTo(3);
    }
    nodes.forEach(Node::close);
  }

  /** The next file is one that is always full: its number is none that is cleared away. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void whereNoLogCanBeWrittenNoNodeJoinsAndItSaysWhy() throws Exception {
    Path full = Files.createDirectories(folder.resolve("full"));
    Files.createFile(full.resolve("linearizable collections.999999999999999998.log.damaged"));
    Files.createSymbolicLink(
        full.resolve("linearizable collections.1000000000000000000.log.writing"),
        Path.of("/dev/full"));
    NodeConfig config =
        NodeConfig.builder()
            .listen(members.getFirst())
            .members(members.getFirst())
            .multicastPort(0)
            .checkpointFolder(full.toString())
            .log(Log.DISK)
            .collection(
                "orders", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build())
            .build();
    assertThatThrownBy(() -> Tempest.join(config))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the log of linearizable collections in " + full)
        .hasMessageContaining("No space left on device")
        .hasMessageContaining("Make room there")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void aLogOnDiskNeedsAFolder() {
    assertThatThrownBy(() -> NodeConfig.builder().log(Log.DISK).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("checkpoint-folder");
  }
}
