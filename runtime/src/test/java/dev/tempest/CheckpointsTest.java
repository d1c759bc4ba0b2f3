package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.admin.Admin;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.config.ConfigException;
import dev.tempest.state.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that come back from what they have written. */
@Timeout(120)
final class CheckpointsTest {
  @TempDir Path folder;

  private final JoinedNodes nodes = new JoinedNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void theLastNodeThatIsClosedComesBackWithAllThatItHad() {
    try (Node node = join("a")) {
      node.host("board", Board.class, BoardService::new);
      node.map("carts", String.class, String.class).put("ann", "tea");
      node.counter("visits").add(3);
      assertThat(board(node).add("a", 2)).isEqualTo(2);
    }

    Node again = join("a");
    again.host("board", Board.class, BoardService::new);

    assertThat(again.map("carts", String.class, String.class)).containsEntry("ann", "tea");
    assertThat(again.counter("visits").get()).isEqualTo(3);
    assertThat(board(again).add("a", 1)).isEqualTo(3);
  }

  @Test
  void whatDidNotChangeIsNotWrittenAnew() throws Exception {
    try (Node node = join("a")) {
      node.map("carts", String.class, String.class).put("ann", "tea");
    }
    List<Path> written = files();
    try (Node node = join("a")) {
      assertThat(node.map("carts", String.class, String.class)).hasSize(1);
    }

    assertThat(files()).isEqualTo(written).hasSize(1);
  }

  @Test
  void ifTheLatestFileIsDamagedTheOneBeforeItIsRead() throws Exception {
    for (int round = 0; round < 2; round++) {
      try (Node node = join("a")) {
        node.counter("visits").add(5);
      }
    }
    damage(files().getLast());
    try (Logged log = new Logged()) {
      assertThat(join("a").counter("visits").get()).isEqualTo(5);
      assertThat(log.says("is damaged: a checksum does not match")).isTrue();
    }
  }

  @Test
  void aFileThatCannotBeOpenedIsNotDamagedAndNothingBeginsWithoutIt() throws Exception {
    try (Node node = join("a")) {
      node.counter("visits").add(5);
    }
    Path latest = files().getLast();
    Path kept = folder.resolve("kept");
    Files.move(latest, kept);
    Files.createDirectory(latest); // Even root cannot read it.
    assertThatThrownBy(() -> join("a"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot be read")
        .hasMessageContaining(latest.getFileName().toString());
    Files.delete(latest);
    Files.move(kept, latest);
    assertThat(join("a").counter("visits").get()).isEqualTo(5);
  }

  @Test
  void ofNodesThatAllEndTheOneWithMostCountsAndTheOthersTakeWhatTheyLack() {
    Node first = join("a");
    Node second = join("b");
    first.map("carts", String.class, String.class).put("ann", "tea");
    second.counter("visits").add(3);
    first.close();
    second.map("carts", String.class, String.class).put("bob", "milk");
    second.close();

    CompletableFuture<Node> older = CompletableFuture.supplyAsync(() -> join("a"));
    Node newer = join("b");
    for (Node node : List.of(older.join(), newer)) {
      assertThat(node.map("carts", String.class, String.class))
          .containsOnly(Map.entry("ann", "tea"), Map.entry("bob", "milk"));
      assertThat(node.counter("visits").get()).isEqualTo(3);
    }
  }

  @Test
  void theAgeOfTheLatestIsTold() {
    try (Node node = join("a")) {
      node.map("carts", String.class, String.class).put("ann", "tea");
      assertThat(replica(node).checkpointMillis()).isEmpty();
      assertThat(replica(node).checkpointFailing()).isFalse();
    }
    assertThat(replica(join("a")).checkpointMillis()).isPresent();
  }

  @Test
  void thatNoneCanBeWrittenIsTold() throws Exception {
    Node node = joinWithoutFolder();
    node.map("carts", String.class, String.class).put("ann", "tea");
    eventually("failing", () -> replica(node).checkpointFailing());
    assertThat(replica(node).checkpointMillis()).isEmpty();
  }

  @Test
  void thatNoneCouldBeWrittenIsToldBeforeThereIsSomethingToWrite() throws Exception {
    Node node = joinWithoutFolder();
    eventually("failing", () -> replica(node).checkpointFailing());
  }

  /** Whoever opens a FIFO to write waits until somebody reads it: for ever. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aDiskThatHangsHoldsNobodyUpWhoCloses() throws Exception {
    Node node = join("a");
    Path fifo = folder.resolve("a/collections.1.writing");
    makeFifo(fifo);
    node.map("carts", String.class, String.class).put("ann", "tea");
    try (Logged log = new Logged()) {
      CompletableFuture.runAsync(node::close).get(30, TimeUnit.SECONDS); // It was for ever.
      assertThat(log.says("Nothing more of collections was written into " + folder)).isTrue();
    }
    assertThatThrownBy(() -> join("a")) // It may write there still.
        .hasMessageContaining("another process has its checkpoints in");

    Path moved = Files.move(fifo, folder.resolve("fifo"));
    try (var reader = Files.newInputStream(moved)) {
      assertThat(reader.read()).isEqualTo('t'); // The disk goes on.
    }
    eventually("the folder is free", () -> joins("a"));
  }

  private boolean joins(String name) {
    try {
      return !join(name).members().isEmpty();
    } catch (ConfigException owned) {
      return false;
    }
  }

  private static void makeFifo(Path place) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", place.toString()).start().waitFor()).isZero();
  }

  /** The next file is one that is always full: its number is none that is cleared away. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void onAFullDiskServiceGoesOn() throws Exception {
    Path full = Files.createDirectories(folder.resolve("full"));
    Files.createFile(full.resolve("collections.999999999999999999.checkpoint"));
    Files.createSymbolicLink(
        full.resolve("collections.1000000000000000000.writing"), Path.of("/dev/full"));
    try (Logged log = new Logged()) {
      Node node =
          nodes.join(
              nodes.config().toBuilder()
                  .checkpointFolder(full.toString())
                  .checkpointEvery(Duration.ofSeconds(1))
                  .build());
      node.map("carts", String.class, String.class).put("ann", "tea");
      eventually("it says so", () -> log.says("No space left on device"));
      assertThat(node.map("carts", String.class, String.class)).containsEntry("ann", "tea");
    }
  }

  private Node joinWithoutFolder() throws IOException {
    Path noFolder = Files.writeString(folder.resolve("file"), "");
    return nodes.join(
        nodes.config().toBuilder()
            .checkpointFolder(noFolder.toString())
            .checkpointEvery(Duration.ofSeconds(1))
            .build());
  }

  private ServiceStatus replica(Node node) {
    try (Admin admin = admin(node)) {
      var answered = admin.status().values();
      while (answered.isEmpty()) { // A busy machine may take longer than it waits.
        answered = admin.status().values();
      }
      return answered.iterator().next().services().getFirst();
    }
  }

  private Admin admin(Node node) {
    return Admin.connect(
        FrontEndConfig.builder(node.members().getFirst())
            .cluster(nodes.config().cluster())
            .build());
  }

  /** A service of the same name whose state is of another type. */
  private static final class OtherBoardService implements Board {
    private final Map<String, String> counts;

    OtherBoardService(State state) {
      counts = state.map("counts", String.class, String.class);
    }

    @Override
    public long add(String name, long count) {
      counts.put(name, "" + count);
      return count;
    }

    @Override
    public long count(String name) {
      return counts.size();
    }

    @Override
    public @Nullable String write(String name, @Nullable String note) {
      return null;
    }

    @Override
    public @Nullable String note(String name) {
      return null;
    }

    @Override
    public void fail(String name) {}

    @Override
    public int failRead() {
      return 0;
    }
  }

  @Test
  void whatAServiceCannotReadIsNeverReplacedByNothing() throws Exception {
    try (Node node = join("a")) {
      node.host("board", Board.class, BoardService::new);
      board(node).add("a", 2);
      awaitSettled(node); // Until then a checkpoint has the call, and no state.
    }
    List<Path> written = files();
    try (Node node = join("a")) {
      assertThatThrownBy(() -> node.host("board", Board.class, OtherBoardService::new))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("board.1.checkpoint is whole, but board cannot read it")
          .hasMessageContaining("counts");
    }
    assertThat(files()).containsAll(written);
    Node again = join("a");
    again.host("board", Board.class, BoardService::new);
    assertThat(board(again).count("a")).isEqualTo(2);
  }

  private void awaitSettled(Node node) {
    try (Admin admin = admin(node)) {
      eventually(
          "all is settled",
          () ->
              admin.status().values().stream()
                  .flatMap(status -> status.services().stream())
                  .allMatch(service -> service.unsettled() == 0));
    }
  }

  private static void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void aFolderBelongsToOneProcess() {
    join("a");

    assertThatThrownBy(() -> join("a"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another process has its checkpoints in " + folder.resolve("a"));
  }

  private List<Path> files() throws Exception {
    try (var files = Files.list(folder.resolve("a"))) {
      return files.filter(file -> file.toString().endsWith(".checkpoint")).sorted().toList();
    }
  }

  private static Board board(Node node) {
    return node.frontEnd().service(Board.class);
  }

  private Node join(String name) {
    String own = folder.resolve(name).toString();
    return nodes.join(nodes.config().toBuilder().checkpointFolder(own).build());
  }
}
