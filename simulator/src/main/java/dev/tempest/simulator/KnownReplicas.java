package dev.tempest.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The ids of the replicas as a front-end knows them, by node. It begins with a guess, which is
 * right where ids never change, and learns the others from answers.
 */
final class KnownReplicas {
  private final List<Long> guessed;
  private final List<Long> byNode;
  private final List<Long> gone = new ArrayList<>();
  private final List<Long> guesses = new ArrayList<>();
  private final Set<Integer> stayed = new TreeSet<>();
  private final long guessedNanos;

  KnownReplicas(List<Long> guessed, long nowNanos) {
    this.guessed = guessed;
    this.byNode = new ArrayList<>(guessed);
    this.guessedNanos = nowNanos;
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

  /** A replica says that it has been there for so long; whether its guess is known by that. */
  boolean stayed(int node, long upMillis, long nowNanos) {
    if (byNode.get(node).equals(guessed.get(node))
        || upMillis <= (nowNanos - guessedNanos) / 1_000_000
        || !stayed.add(node)) {
      return false;
    }
    return guesses.add(guessed.get(node));
  }

  /** The guesses that have stood for the replicas that are known now, since the last call. */
  List<Long> takeGuesses() {
    List<Long> taken = List.copyOf(guesses);
    guesses.clear();
    return taken;
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
