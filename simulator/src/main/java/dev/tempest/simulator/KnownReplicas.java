package dev.tempest.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * The ids of the replicas as a front-end knows them, by node. It begins with a guess, which is
 * right where ids never change, and learns the others from answers.
 */
final class KnownReplicas {
  private final List<Long> guessed;
  private final List<Long> byNode;
  private final List<Long> gone = new ArrayList<>();

  KnownReplicas(List<Long> guessed) {
    this.guessed = guessed;
    this.byNode = new ArrayList<>(guessed);
  }

  /** A replica answers from a node; whether they are others now. */
  boolean learn(int node, long id) {
    boolean isNew = !byNode.contains(id);
    long before = byNode.set(node, id);
    boolean isGone = !byNode.contains(before);
    if (isGone && before != guessed.get(node)) {
      gone.add(before);
    }
    return isNew || isGone;
  }

  /** Ascending; of two nodes with the same id it is there once. */
  List<Long> ids() {
    return byNode.stream().sorted().distinct().toList();
  }

  /** Those who are none any more, since the last call. */
  List<Long> takeGone() {
    List<Long> taken = List.copyOf(gone);
    gone.clear();
    return taken;
  }

  /** The node of a replica; -1 if that is gone. */
  int node(long id) {
    return byNode.indexOf(id);
  }

  /** How many there are. */
  int size() {
    return byNode.size();
  }
}
