package dev.tempest.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class KeyLocksTest {
  private static final int KEYS = 1_000;

  private final KeyLocks locks = new KeyLocks();

  @Test
  void aKeyWaitsForNoOther() {
    int others =
        locks.alone(
            0,
            lock -> {
              int held = locks.size();
              CompletableFuture.runAsync(
                      () -> {
                        for (int key = 1; key < KEYS; key++) {
                          locks.alone(key, other -> true);
                        }
                      })
                  .join();
              return locks.size() - held;
            });
    assertThat(others).isZero();
    assertThat(locks.size()).isZero();
  }

  @Test
  void nothingIsKeptOfAnOperationThatFails() {
    assertThatThrownBy(() ->
            locks.alone(
                "a",
                lock ->
                    locks.alone(
                        "a",
                        again -> {
                          assertThat(again).isSameAs(lock);
                          throw new IllegalStateException("no");
                        })))
        .hasMessage("no");
    assertThat(locks.size()).isZero();
  }
}
