package dev.tempest.cluster;

import dev.tempest.config.CheckpointConfig.Log;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;

/** The same with logs that are stored: all servers are killed at once, too, and nothing is lost. */
final class StoredLogsUnderFaultsTest extends ConsensusUnderFaultsTest {
  @BeforeEach
  void thereIsAFolderForLogs() throws IOException {
    Files.createDirectory(folder.resolve(ServerProgram.CHECKPOINTS));
  }

  @Override
  Log log() {
    return seed % 2 == 0 ? Log.DISK : Log.ADAPTIVE;
  }

  @Override
  public boolean surviveAll() {
    return true;
  }
}
