package dev.tempest.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Wall clocks of processes that are wrong, by libfaketime. Their monotonic clocks are right. */
final class WallClocks {
  private static final Optional<Path> LIBRARY = library();

  private WallClocks() {}

  /** Whether this machine can have them. */
  static boolean arePossible() {
    return LIBRARY.isPresent();
  }

  /** What goes before a command that is to see one that is off by so much. */
  static List<String> off(Duration by) {
    return List.of(
        "env",
        "LD_PRELOAD=" + LIBRARY.orElseThrow(),
        "FAKETIME=%+ds".formatted(by.toSeconds()),
        "FAKETIME_DONT_FAKE_MONOTONIC=1");
  }

  private static Optional<Path> library() {
    Path folder = Path.of("/usr/lib");
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> machines = Files.list(folder)) {
      return machines
          .map(each -> each.resolve("faketime").resolve("libfaketimeMT.so.1"))
          .filter(Files::isRegularFile)
          .findFirst();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
