package dev.tempest.sessions;

import dev.tempest.Handle;
import dev.tempest.Node;
import dev.tempest.OverloadedException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Semaphore;

/** What clients have seen of a node, as tokens that they carry to another one. */
final class Seen {
  /** By then a process that died is no member any more, and what only it had is lost. */
  private static final long AWAITED_MILLIS = 60_000;

  /** With those below fewer than the threads of a container: made-up tokens must not bind all. */
  private static final int AWAITING_MAX = 50;

  /** Clients that are busy at many processes wait for a moment each. */
  private static final int AWAITING_BRIEFLY_MAX = 100;

  private static final Duration BRIEFLY = Duration.ofMillis(100);

  /** Browsers keep cookies of 4 kB, with their names. */
  private static final int TOKEN_MAX = 3_500;

  private static final int RADIX = Character.MAX_RADIX;

  private final Node node;
  private final Duration within;
  private final Counting counting;
  private final Semaphore awaiting = new Semaphore(AWAITING_MAX);
  private final Semaphore awaitingBriefly = new Semaphore(AWAITING_BRIEFLY_MAX);

  Seen(Node node, Duration within, Counting counting) {
    this.node = node;
    this.within = within;
    this.counting = counting;
  }

  String token() {
    try {
      return Long.toString(System.currentTimeMillis(), RADIX) + "." + node.handle();
    } catch (IllegalStateException | OverloadedException unsaid) {
      return ""; // More unsettled writes of more nodes than a handle holds, or a node that is busy.
    }
  }

  /** Empty if one of these says the same, whenever it was told. */
  String token(Collection<String> brought) {
    String token = token();
    String what = token.substring(Math.max(token.indexOf('.'), 0));
    boolean isTold = brought.stream().anyMatch(told -> told.endsWith(what));
    return isTold || token.length() > TOKEN_MAX ? "" : token;
  }

  /** Waits once, for what all of these say. */
  boolean await(Collection<String> tokens) throws InterruptedException {
    Handle handle = Handle.NOTHING;
    for (String each : tokens) {
      try {
        handle = handle.max(parse(each));
      } catch (IllegalArgumentException malformed) {
        counting.malformed.increment();
      }
    }
    if (handle.equals(Handle.NOTHING) || node.awaitSeen(handle, Duration.ZERO)) {
      return true;
    }
    counting.waits.increment();
    Duration briefly = within.compareTo(BRIEFLY) < 0 ? within : BRIEFLY;
    boolean arrived =
        await(handle, briefly, awaitingBriefly) || await(handle, within.minus(briefly), awaiting);
    if (!arrived) {
      counting.unseen.increment();
    }
    return arrived;
  }

  private boolean await(Handle handle, Duration longest, Semaphore places)
      throws InterruptedException {
    if (!places.tryAcquire()) {
      return false;
    }
    try {
      return node.awaitSeen(handle, longest);
    } finally {
      places.release();
    }
  }

  /** Nothing, if it is too old or from a clock that is wrong. */
  private static Handle parse(String token) {
    int dot = token.indexOf('.');
    long millis = Long.parseLong(token, 0, Math.max(dot, 0), RADIX);
    Handle handle = Handle.parse(token.substring(dot + 1));
    long now = System.currentTimeMillis();
    boolean isAwaited = millis >= now - AWAITED_MILLIS && millis <= now + AWAITED_MILLIS;
    return isAwaited ? handle : Handle.NOTHING;
  }
}
