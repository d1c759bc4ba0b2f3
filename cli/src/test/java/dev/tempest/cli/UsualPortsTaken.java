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
 */
final class UsualPortsTaken implements BeforeAllCallback, AfterAllCallback {
  private static final int USUAL_PORT = 7_400;

  private @Nullable ServerSocket held;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    try {
      held = new ServerSocket(USUAL_PORT, 1, InetAddress.getLoopbackAddress());
    } catch (BindException taken) {
      held = null; // Somebody else does it.
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (held != null) {
      held.close();
    }
  }
}
