package dev.tempest.bench;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A backup that gets changes by HTTP and keeps the latest.
 *
 * @param port where it gets them
 * @param acknowledgedPort where a broker is told that it has one; 0 if the answer says so
 */
record HttpBackup(int port, int acknowledgedPort) implements Program<String, String> {
  private static final byte[] NOTHING = {};

  @Override
  public Answers<String, String> start() throws IOException {
    HttpPost post = new HttpPost();
    AtomicReference<byte[]> state = new AtomicReference<>(NOTHING);
    HttpPost.serve(
        port,
        (number, change) -> {
          state.set(change);
          if (acknowledgedPort != 0) {
            post.give(acknowledgedPort, number, NOTHING);
          }
        });
    return question -> state.get().length + " B";
  }
}
