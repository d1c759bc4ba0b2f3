package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.checkpoint.CheckpointFiles;
import dev.tempest.protocol.checkpoint.Disk;
import dev.tempest.service.execution.ServiceInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Pins the layout of a whole file: later versions of this software have to read it, or to say that
 * they cannot. {@code -Dgolden.write=true} writes the file anew; what changes in it is to be read
 * as a break with all files that exist.
 */
final class GoldenCheckpointTest {
  private static final Path PINNED =
      Path.of("src", "test", "resources", "dev", "tempest", "protocol", "checkpoint-v1.txt");

  private static final long CLIENT = 77;
  private static final String FILE = "ledger.1.checkpoint";
  private static final int ROW_CHARS = 64;

  /** A disk that never fails. */
  private static final class Memory implements Disk {
    @Override
    public String life() {
      return "";
    }

    private final Map<String, byte[]> files = new TreeMap<>();

    @Override
    public List<String> names() {
      return new ArrayList<>(files.keySet());
    }

    @Override
    public Input open(String name) {
      ByteArrayInputStream bytes = new ByteArrayInputStream(contents(name));
      return new Input() {
        @Override
        public int read(byte[] into, int offset, int length) {
          return bytes.read(into, offset, length);
        }

        @Override
        public void close() {}
      };
    }

    byte[] contents(String name) {
      return Objects.requireNonNull(files.get(name), name);
    }

    @Override
    public Output create(String name) {
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      return new Output() {
        @Override
        public void write(byte[] bytes, int offset, int length) {
          written.write(bytes, offset, length);
        }

        @Override
        public void sync() {
          files.put(name, written.toByteArray());
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public Output append(String name) {
      throw new IllegalStateException("nobody adds to a checkpoint");
    }

    @Override
    public void rename(String from, String to) {
      files.put(to, Objects.requireNonNull(files.remove(from), from));
    }

    @Override
    public void delete(String name) {
      files.remove(name);
    }

    @Override
    public String toString() {
      return "memory";
    }
  }

  /** One that has settled two updates and not yet a third one. */
  private static Cluster cluster() {
    Cluster cluster = new Cluster(1);
    cluster.update(cluster.entry(CLIENT, 1, cluster.call("add", "ann", 1)), 1);
    cluster.update(cluster.entry(CLIENT, 2, cluster.call("add", "bob", 20)), 1);
    cluster.pass(3_000);
    cluster.update(cluster.entry(CLIENT, 3, cluster.call("add", "ann", 300)), 1);
    return cluster;
  }

  private static CheckpointFiles files(Disk disk) {
    return new CheckpointFiles(disk, "shop", "ledger");
  }

  @Test
  void theBytesOfACheckpointAreThePinnedOnes() throws IOException {
    Memory disk = new Memory();
    CheckpointFiles.Writing writing =
        files(disk)
            .write(Objects.requireNonNull(cluster().replica(1).checkpoint()), 1_700_000_000_000L);
    while (writing.next()) {
      assertThat(disk.names()).doesNotContain(FILE);
    }
    String actual =
        HexFormat.of().formatHex(disk.contents(FILE)).replaceAll("(.{" + ROW_CHARS + "})", "$1\n")
            + "\n";
    if (Boolean.getBoolean("golden.write")) {
      Files.createDirectories(PINNED.getParent());
      Files.writeString(PINNED, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(PINNED));
  }

  @Test
  void thePinnedBytesReadAsTheCheckpoint() throws IOException {
    Memory disk = new Memory();
    disk.files.put(FILE, HexFormat.of().parseHex(Files.readString(PINNED).replace("\n", "")));
    ServiceInstance service = ServiceInstance.of(Ledger.class, LedgerService::new);
    CheckpointFiles.Found found =
        files(disk).read(() -> new RestoringByTime(Cluster.SERVICE, Epochs.USUAL, service));

    Cluster written = cluster();
    assertThat(found.complaints()).isEmpty();
    RestoredByTime restored = (RestoredByTime) Objects.requireNonNull(found.restored());
    assertThat(restored.mark())
        .isEqualTo(Objects.requireNonNull(written.replica(1).checkpoint()).mark());
    assertThat(restored.snapshot().unsettled()).isEqualTo(written.replica(1).unsettled());
    assertThat(service.contents(restored.snapshot().state().version()).toString())
        .contains("ann=1", "bob=20");
  }
}
