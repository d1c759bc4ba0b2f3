package dev.tempest.runtime.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.checkpoint.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process at a time owns a folder, whatever becomes of the folder. */
final class FolderDiskTest {
  private final Path folder;

  FolderDiskTest(@TempDir Path parent) {
    this.folder = parent.resolve("checkpoints").resolve("one");
  }

  @Test
  void aFolderThatWasDeletedIsMadeAgain() throws IOException {
    try (FolderDisk disk = new FolderDisk(folder);
        FolderDisk other = new FolderDisk(folder)) {
      assertThat(disk.own()).isTrue();
      Files.delete(folder.resolve("lock"));
      Files.delete(folder);
      assertThat(disk.own()).isTrue();
      try (Disk.Output output = disk.create("file")) {
        output.write(new byte[] {1}, 0, 1);
      }
      assertThat(disk.names()).containsExactlyInAnyOrder("lock", "file");
      assertThat(other.own()).isFalse();
    }
  }

  @Test
  void aFolderThatAnotherOneHasMadeAgainIsNotOwnedAnyMore() throws IOException {
    try (FolderDisk disk = new FolderDisk(folder)) {
      assertThat(disk.own()).isTrue();
      Files.move(folder, folder.resolveSibling("moved"));
      try (FolderDisk other = new FolderDisk(folder)) {
        assertThat(other.own()).isTrue();
        assertThat(disk.own()).isFalse();
      }
      assertThat(disk.own()).isTrue();
    }
  }
}
