package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that declares what others have filled. */
@Timeout(120)
final class FilledCollectionsTest {
  @AutoClose private final JoinedNodes nodes = new JoinedNodes();

  /** Tells of each cart that is read. */
  record Cart(int items) {
    private static volatile Runnable read = () -> {};

    Cart {
      read.run();
    }
  }

  @Test
  void holdsUpNobodyWhileItReadsWhatIsThere() {
    Node one = nodes.join();
    Map<String, Cart> carts = one.map("carts", String.class, Cart.class);
    for (int i = 0; i < 50; i++) {
      carts.put("cart-" + i, new Cart(i));
    }
    Node two = nodes.join();
    Map<String, Long> counts = two.map("counts", String.class, Long.class);
    Map<String, Long> atOne = one.map("counts", String.class, Long.class);
    CompletableFuture<Boolean> wentOn = new CompletableFuture<>();
    Thread declaring = Thread.currentThread();
    Cart.read =
        () -> {
          if (Thread.currentThread().equals(declaring) && !wentOn.isDone()) {
            wentOn.complete(false);
            wentOn.obtrudeValue(goesOn(() -> counts.put("a", 1L), () -> atOne.containsKey("a")));
            goesOn(() -> carts.put("cart-50", new Cart(50)), () -> true);
          }
        };
    Map<String, Cart> declared = two.map("carts", String.class, Cart.class);
    assertThat(wentOn).isCompletedWithValue(true);
    eventually("all is there", () -> declared.equals(carts));
    assertThat(declared).hasSize(51).containsEntry("cart-50", new Cart(50));
  }

  /** Whether another thread writes, and the others see it. */
  private static boolean goesOn(Runnable write, BooleanSupplier seen) {
    try {
      CompletableFuture.runAsync(
              () -> {
                write.run();
                eventually("the other node sees it", seen::getAsBoolean);
              })
          .get(30, TimeUnit.SECONDS);
      return true;
    } catch (Exception heldUp) {
      return false;
    }
  }
}
