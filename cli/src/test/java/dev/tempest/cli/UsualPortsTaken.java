package dev.tempest.cli;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes demos listen elsewhere than they do if they can: nodes of tests in other processes listen
 * there, and one took the port of a server that had been killed before it was started again.
 *
 * <p>One of the three ports is enough, and which one depends on those others. They may leave before
 * the demo looks, so it has to be ours.
 */
final class UsualPortsTaken implements BeforeAllCallback, AfterAllCallback {
  private static final int FIRST_PORT = 7_400;
  private static final int LAST_PORT = 7_402;
  private static final long LOOK_MILLIS = 20;

  private @Nullable ServerSocket held;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
    while (held == null) {
      for (int port = FIRST_PORT; held == null && port <= LAST_PORT; port++) {
        held = take(port);
      }
      if (held == null) {
        Thread.sleep(LOOK_MILLIS); // Three others hold them all.
      }
    }
  }

  private static @Nullable ServerSocket take(int port) throws IOException {
    try {
      return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    } catch (BindException taken) {
      return null;
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (held != null) {
      held.close();
    }
  }
}
