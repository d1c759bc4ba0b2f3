package dev.tempest.cluster;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;

/** The same with logs on disk: all servers are killed at once, too, and nothing is lost. */
final class StoredLogsUnderFaultsTest extends ConsensusUnderFaultsTest {
  @BeforeEach
  void thereIsAFolderForLogs() throws IOException {
    Files.createDirectory(folder.resolve(ServerProgram.CHECKPOINTS));
  }

  @Override
  public boolean surviveAll() {
    return true;
  }
}
