package dev.tempest;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who asked, and is told how it ended: a waiting thread, or code to run then. */
final class Asker {
  private final @Nullable Thread thread;
  private final @Nullable Consumer<Ending> then;
  private volatile @Nullable Ending ending;

  private Asker(@Nullable Thread thread, @Nullable Consumer<Ending> then) {
    this.thread = thread;
    this.then = then;
  }

  static Asker blocked(Thread thread) {
    return new Asker(thread, null);
  }

  static Asker callback(Consumer<Ending> then) {
    return new Asker(null, then);
  }

  boolean isBlocked() {
    return thread != null;
  }

  /** How it ended; null until then. */
  @Nullable Ending ending() {
    return ending;
  }

  void end(Ending how) {
    ending = how;
  }

  /** Goes on with whoever asked: because it ended, or because the thread is to drive. */
  void resume() {
    Ending ended = ending;
    if (thread != null) {
      LockSupport.unpark(thread);
    } else if (then != null && ended != null) {
      then.accept(ended);
    }
  }
}
