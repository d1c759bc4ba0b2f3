package dev.tempest.runtime.node;

import dev.tempest.state.versioned.VersionedAction;
import org.jspecify.annotations.Nullable;

/**
 * The action that a thread executes on eventual collections, and what is to become of it.
 *
 * <p>Used by that thread only.
 */
final class Acting {
  final VersionedAction action;

  /** Whether it has not looked for room, and must not write. */
  final boolean onlyReads;

  /** How long it may still wait for whoever uses the replica. */
  final long leftNanos;

  /** How many nodes are to have what it writes; 0 if nothing but the configuration says. */
  private int acks;

  /** Whether it begins again on linearizable collections if it uses one of them. */
  private boolean ofEither;

  private @Nullable IllegalStateException doom;

  Acting(VersionedAction action, boolean onlyReads, long leftNanos) {
    this.action = action;
    this.onlyReads = onlyReads;
    this.leftNanos = leftNanos;
  }

  /** So many nodes are to have it, or as many as something else in it asked for. */
  void ask(int acksAsked) {
    acks = Math.max(acks, acksAsked);
  }

  int acks() {
    return acks;
  }

  void mayBeginOnOthers() {
    ofEither = true;
  }

  /** It uses linearizable collections: it fails, or begins again on these. */
  IllegalStateException usesOthers() {
    return fail(ofEither ? new OtherWayException.Linearizable() : new OtherConsistencyException());
  }

  /** It fails as a whole, although it may go on. */
  IllegalStateException fail(IllegalStateException why) {
    doom = why;
    return why;
  }

  /** Why it fails as a whole; null if it does not. */
  @Nullable IllegalStateException doom() {
    return doom;
  }
}
