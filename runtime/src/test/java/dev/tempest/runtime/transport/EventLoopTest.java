package dev.tempest.runtime.transport;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Frame;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class EventLoopTest {
  /** Does nothing, and wants to rest for ever. */
  private static final class Idle implements EventLoop.Machines {
    private final AtomicInteger ticks = new AtomicInteger();

    @Override
    public void received(PeerAddress from, Frame frame) {}

    @Override
    public void execute() {}

    @Override
    public long tick() {
      ticks.incrementAndGet();
      return Long.MAX_VALUE;
    }

    @Override
    public void ended(@Nullable Throwable bug) {}
  }

  private final Idle idle = new Idle();
  private final EventLoop loop =
      new EventLoop(
          Endpoint.open(new EndpointConfig(InetAddress.getLoopbackAddress(), 0, 1, 2, 0, 0)), idle);
  private final Thread thread = new Thread(loop);

  @AfterEach
  void close() throws InterruptedException {
    loop.close();
    thread.join();
  }

  /** With the flag set no wait is one: the loop would spin. */
  @Test
  void anInterruptOfAMethodOfAServiceIsForgottenWithItsTurn() {
    thread.start();
    CompletableFuture<Integer> turn = new CompletableFuture<>();
    loop.execute(() -> {
      Thread.currentThread().interrupt();
      turn.complete(idle.ticks.get());
    });
    int before = turn.join();
    eventually("the turn ends", () -> idle.ticks.get() > before);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    loop.execute(() -> interrupted.complete(Thread.currentThread().isInterrupted()));
    assertThat(interrupted.join()).isFalse();
  }

  @Test
  void whatComesAfterTheEndIsRefusedAndNotKept() throws InterruptedException {
    thread.start();
    loop.close();
    thread.join();
    assertThat(loop.execute(() -> {})).isFalse();
  }
}
