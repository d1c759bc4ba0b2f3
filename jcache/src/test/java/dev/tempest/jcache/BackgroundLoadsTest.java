package dev.tempest.jcache;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class BackgroundLoadsTest {
  private final BackgroundLoads loads = new BackgroundLoads();

  @Test
  void noneStartsOnceTheyAreClosed() {
    loads.close();
    assertThatThrownBy(() -> loads.start(() -> {})).isInstanceOf(IllegalStateException.class);
  }

  /** It does not wait for itself, which takes longer than this test may. */
  @Test
  @Timeout(value = 8, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void oneMayCloseThem() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    loads.start(() -> {
      loads.close();
      ended.countDown();
    });
    ended.await();
  }
}
