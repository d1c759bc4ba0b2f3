package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.order.Views;
import dev.tempest.wire.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Updates that a server has yet to execute, the oldest first: so many at most, and none once a turn
 * has left one that had waited for long. Who asks then is told at once, instead of after a wait
 * that grows. Who asks again for one that waits is not: it will be executed.
 *
 * <p>Not thread-safe.
 */
final class UpdateBacklog {
  static final int COUNT_MAX = 65_536;

  /** In memory. */
  static final long BYTES_MAX = Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8);

  /**
   * Sooner would not help: what is refused here is executed elsewhere, mostly, and comes by gossip,
   * late, which takes longer than to execute it in its turn.
   */
  static final long WAIT_MAX_NANOS = 500_000_000;

  /** What an update takes beside its arguments, about. */
  static final int OVERHEAD_BYTES = 500;

  private static final String TOO_MUCH = "too many updates wait for this server to execute them";

  private final Supplier<String> memory;
  private final LinkedHashMap<Asked, Waiting<Message.Update>> oldestFirst = new LinkedHashMap<>();
  private long sizeBytes;
  private boolean isLate;

  /**
   * An empty one.
   *
   * @param memory why there is no memory for what updates may add; empty if there is
   */
  UpdateBacklog(Supplier<String> memory) {
    this.memory = memory;
  }

  /**
   * Adds an update, or puts it in the place of an earlier attempt that waits.
   *
   * <p>Another call under the id of one that waits is not executed, since an id names one call for
   * ever. But it counts as an attempt of the one that waits, and is answered as it would be a
   * moment later: with what that has come to.
   *
   * @return why it is refused; empty if it waits
   */
  String add(Address from, Message.Update update, long nowNanos) {
    Asked asked = new Asked(update.service(), update.id(), from);
    Waiting<Message.Update> earlier = oldestFirst.get(asked);
    if (earlier != null) {
      Message.Update attempt = laterAttempt(update, earlier.request());
      oldestFirst.put(
          asked, new Waiting<>(from, attempt, earlier.sizeBytes(), earlier.sinceNanos()));
      return "";
    }
    int addedBytes = OVERHEAD_BYTES + update.call().sizeBytes();
    if (!oldestFirst.isEmpty() && isTooMuch(addedBytes)) {
      return TOO_MUCH;
    }
    // Without views nobody answers, and they do not grow.
    String full = update.service() == Views.SERVICE ? "" : memory.get();
    if (!full.isEmpty()) {
      return full;
    }
    oldestFirst.put(asked, new Waiting<>(from, update, addedBytes, nowNanos));
    sizeBytes += addedBytes;
    return "";
  }

  /** Which of two attempts is the later one; no other call takes a place, or more room. */
  private static Message.Update laterAttempt(Message.Update update, Message.Update earlier) {
    if (update.attempt() < earlier.attempt()) {
      return earlier;
    }
    return update.call().equals(earlier.call())
        ? update
        : new Message.Update(
            earlier.service(),
            earlier.id(),
            earlier.part(),
            earlier.call(),
            update.attempt(),
            earlier.acks(),
            earlier.answeredBelow());
  }

  private boolean isTooMuch(int addedBytes) {
    return isLate || oldestFirst.size() >= COUNT_MAX || sizeBytes + addedBytes > BYTES_MAX;
  }

  /** Takes the oldest; null if there is none. */
  @Nullable Waiting<Message.Update> take() {
    Map.Entry<Asked, Waiting<Message.Update>> oldest = oldestFirst.pollFirstEntry();
    if (oldest == null) {
      return null;
    }
    sizeBytes -= oldest.getValue().sizeBytes();
    return oldest.getValue();
  }

  /**
   * A turn has executed what it could. Only then is it known whether the oldest waits because there
   * is too much, or because this process stood still for a moment.
   */
  void left(long nowNanos) {
    Map.Entry<Asked, Waiting<Message.Update>> oldest = oldestFirst.firstEntry();
    isLate = oldest != null && nowNanos - oldest.getValue().sinceNanos() > WAIT_MAX_NANOS;
  }

  int size() {
    return oldestFirst.size();
  }
}
