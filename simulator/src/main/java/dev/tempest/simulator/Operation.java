package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.wire.Answer;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All that was seen of one invocation. */
final class Operation {
  /**
   * An answer that a replica gave.
   *
   * @param rerunsBefore how many entries the replica had executed again before that step
   */
  record Given(Answer answer, long rerunsBefore) {}

  final long ticket;
  final Incarnation frontEnd;
  final Invocation invocation;

  /** The chain that it belongs to; null if to none. */
  final @Nullable SimChain chain;

  /** What the chain had seen when it began. */
  final Seen sent;

  /** Whether it asks for an update that the chain knew of when it began. */
  final boolean knownBefore;

  /** The tags of the updates that its client, or its chain, knew of when it began. */
  final Set<Long> after;

  final long submittedNanos;

  /** On the clock of the front-end. */
  final long deadlineNanos;

  /** The ids under which it was sent: one, if all is well. */
  final Set<RequestId> ids = new LinkedHashSet<>();

  /** The stamps that it was seen with, those included under which it was sent. */
  final NavigableSet<Long> stamps = new TreeSet<>();

  /** The stamps under which it was sent: several, if it was sent again too late for the first. */
  final NavigableSet<Long> sentStamps = new TreeSet<>();

  /** The stamps of its entries. */
  final NavigableSet<Long> entryStamps = new TreeSet<>();

  /** Who is known to have executed it. */
  final Set<Incarnation> executors = new TreeSet<>();

  /** The last answer of each replica. */
  final Map<Incarnation, Given> given = new TreeMap<>();

  /** Answers of one replica that differ without a reason. */
  final Map<Incarnation, String> changedAnswers = new LinkedHashMap<>();

  /** At how many looks each lacked it since it took a state, and had yet to say why. */
  final Map<Incarnation, Integer> lackedAtLooks = new TreeMap<>();

  private @Nullable Completion completion;
  private long completedNanos;
  private long executedBy;
  private boolean mayBeHidden;
  private boolean abandoned;
  private boolean givenUp;

  Operation(
      long ticket,
      Incarnation frontEnd,
      Invocation invocation,
      @Nullable SimChain chain,
      Set<Long> after,
      long submittedNanos,
      long deadlineNanos) {
    this.ticket = ticket;
    this.frontEnd = frontEnd;
    this.invocation = invocation;
    this.chain = chain;
    this.sent = chain == null ? Seen.NOTHING : chain.seen();
    this.knownBefore = chain != null && chain.knows(invocation);
    this.after = after;
    this.submittedNanos = submittedNanos;
    this.deadlineNanos = deadlineNanos;
  }

  /** How it ended for the client; null while it has not. */
  @Nullable Completion completion() {
    return completion;
  }

  /** When it ended, on the clock of the front-end. */
  long completedNanos() {
    return completedNanos;
  }

  /**
   * How many processes were known to have executed it when it ended. One that is a copy, or was
   * copied, may have started again since, while its id lived on in the other: it counts as well.
   */
  long executedBy() {
    return executedBy;
  }

  /**
   * Whether, when it ended, somebody who had executed it had lost its memory, or two processes had
   * one id, and one of them spoke for both, whatever the other one had done or would do.
   */
  boolean mayBeHidden() {
    return mayBeHidden;
  }

  void complete(
      Completion how, long clockNanos, Predicate<Incarnation> lost, Set<Incarnation> copied) {
    completion = how;
    completedNanos = clockNanos;
    mayBeHidden = !copied.isEmpty() || executors.stream().anyMatch(lost);
    Predicate<Incarnation> isCopied = copied::contains;
    executedBy =
        executors.stream().filter(isCopied.negate()).map(Incarnation::node).distinct().count()
            + executors.stream().filter(isCopied).count();
  }

  /** Its front-end lost its memory: nobody waits for it any more. */
  void abandon() {
    abandoned = true;
  }

  /** A replica gave up what it had executed. */
  void giveUp() {
    givenUp = true;
  }

  boolean wasGivenUp() {
    return givenUp;
  }

  boolean isOpen() {
    return completion == null && !abandoned;
  }

  /** Whether its client knows by it that the update with its tag took effect. */
  boolean shows(Workload workload) {
    return invocation.tag() > 0
        && completion instanceof Completion.Answered(Answer.Returned(var result))
        && (invocation.update() || workload.saw(result));
  }

  /** Whether a replica told the client that it was executed. */
  boolean isAcknowledged() {
    return completion instanceof Completion.Answered(Answer answer)
        && !(answer instanceof Answer.Refused);
  }
}
