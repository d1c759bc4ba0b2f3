package dev.tempest.protocol.frontend;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.frontend.Requests.Event;
import dev.tempest.protocol.order.Routing;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A request that has not ended. It has a name, and was sent, once it has begun. */
final class Pending {
  /** These say what one process had not enough of, which others may have. */
  private static final List<String> OF_ONE_PROCESS =
      List.of(OutOfMemoryError.class.getName(), StackOverflowError.class.getName());

  final Caller caller;
  final Event.Submit submit;
  final Latency latency;
  final List<Long> asked = new ArrayList<>(1);

  /** Whom attempts before this one asked; nobody, once that was everybody. */
  final List<Long> askedBefore = new ArrayList<>(0);

  final List<Long> executedBy = new ArrayList<>(1);
  @Nullable Answer answer;
  @Nullable Answer behind;

  /** Of an update that has begun. */
  Routing.@Nullable Course course;

  int attempt;
  int alarms;
  long begunNanos;
  long sentNanos;
  long earlyNanos = Long.MAX_VALUE;
  long askMoreNanos = Long.MAX_VALUE;
  long retryNanos = Long.MAX_VALUE;
  boolean sentAgain;
  boolean done;
  private @Nullable RequestId id;

  /** Null while nobody has voted for it. */
  private @Nullable Tally votes;

  /** An update that one who is gone may have executed. */
  private boolean isLost;

  /**
   * What those said that do not host the service or lack the method, since the request was sent the
   * last time.
   */
  private Map<Long, Answer.Refused> cannotBe = Collections.emptyMap();

  /** The latest that says what is wrong with the request, whatever was asked again since. */
  private Answer.@Nullable Refused lastRefusal;

  /** At most so many have said that after one sending. */
  private int mostRefusals;

  Pending(Caller caller, Event.Submit submit, Latency latency) {
    this.caller = caller;
    this.submit = submit;
    this.latency = latency;
  }

  /** It gets its name now, and is about to be sent. */
  void begin(RequestId name, long nowNanos) {
    id = name;
    begunNanos = nowNanos;
  }

  boolean hasBegun() {
    return id != null;
  }

  RequestId id() {
    RequestId name = id;
    if (name == null) {
      throw new IllegalStateException("it waits for its turn and has no name yet");
    }
    return name;
  }

  Caller.Key key() {
    return new Caller.Key(submit.service(), submit.update(), id().sequence());
  }

  /** The next attempt is to ask others of so many replicas. */
  void asksOthers(int replicas) {
    cannotBe = Collections.emptyMap(); // It may be possible by now.
    askedBefore.addAll(asked);
    asked.clear();
    if (askedBefore.size() >= replicas) {
      askedBefore.clear();
    }
  }

  /** Whether other replicas are asked before this attempt is over. */
  boolean mayAskMore() {
    return !submit.update() && submit.reads().hedged() && asked.size() < submit.reads().replicas();
  }

  /**
   * What its application has seen with it; null if that does not want to know, or nobody knows.
   *
   * @param answered what the replica said with its answer
   * @param byRead what the answer of a read says
   */
  @Nullable Seen saw(OrderPart answered, @Nullable Seen byRead) {
    Routing.Course updates = course;
    if (submit.seen() == null) {
      return null;
    }
    return updates == null ? byRead : updates.seen(answered);
  }

  /** What was refused, or not even sent, was not executed: that is known. */
  Completion atDeadline() {
    if (!hasBegun()) {
      return overloaded(
          "waited until its deadline for an update of the service that had begun "
              + caller.updatesMax
              + " before it");
    }
    Answer refusal = behind;
    return refusal == null ? unknown() : new Completion.Answered(refusal);
  }

  /** It may have been executed; but not by those who said that they cannot. */
  Completion unknown() {
    return new Completion.Unknown(attempt, lastRefusal);
  }

  /** What is refused because there is too much of it. */
  static Completion overloaded(String detail) {
    return new Completion.Answered(new Answer.Refused(Reason.OVERLOADED, detail));
  }

  /**
   * A replica says that it has nothing that could execute it.
   *
   * @return whether more say so than before
   */
  boolean cannotBe(long replica, Answer.Refused refusal) {
    if (cannotBe.isEmpty()) {
      cannotBe = new LinkedHashMap<>();
    }
    cannotBe.put(replica, refusal);
    if (refusal.reason() != Reason.UNKNOWN_SERVICE) { // Those who are silent may host it.
      lastRefusal = refusal;
    }
    boolean isNews = cannotBe.size() > mostRefusals;
    mostRefusals = Math.max(mostRefusals, cannotBe.size());
    return isNews;
  }

  /** Whether what a replica says is so: if it has voted for that, once enough have. */
  boolean counts(Message.Reply reply) {
    return !(reply.part() instanceof OrderPart.Voted voted) || isChosen(reply, voted);
  }

  private boolean isChosen(Message.Reply reply, OrderPart.Voted voted) {
    Tally all = votes;
    if (all == null) {
      all = new Tally();
      votes = all;
    }
    List<Long> voters = all.add(reply, voted);
    for (long voter : voters) {
      if (!executedBy.contains(voter)) {
        executedBy.add(voter);
      }
    }
    return !voters.isEmpty();
  }

  /**
   * A replica has executed it. One that had not enough memory for it does not stand for one that
   * has kept what it wrote.
   *
   * @return what the request comes to, if no more replicas are needed
   */
  Answer take(Message.Reply reply) {
    Answer known = answer;
    if (known != null && hadNotEnough(known) && !hadNotEnough(reply.answer())) {
      executedBy.clear();
      known = null;
    }
    Answer first = known == null ? reply.answer() : known;
    answer = first;
    boolean counts = hadNotEnough(first) || !hadNotEnough(reply.answer());
    if (counts && !executedBy.contains(reply.replica())) {
      executedBy.add(reply.replica());
    }
    return first;
  }

  private static boolean hadNotEnough(Answer answer) {
    return answer instanceof Answer.Threw(String className, String message)
        && OF_ONE_PROCESS.contains(className);
  }

  /** Whether all of them say so, and nobody else may have executed it. */
  boolean isImpossible(List<Long> replicas) {
    return answer == null && !isLost && cannotBe.keySet().containsAll(replicas);
  }

  /** Some replicas may be gone, and with them their memory. */
  void changed(Event.ReplicasChanged changed) {
    List<Long> gone = changed.gone();
    executedBy.removeAll(gone);
    isLost |= submit.update() && hasBegun() && !cannotBe.keySet().containsAll(gone);
    if (course != null) {
      course.changed(changed.replicas(), changed.guesses());
    }
  }

  /** What is wrong with it; if that is that nobody hosts the service, what they host instead. */
  Completion impossible() {
    for (Answer.Refused refusal : cannotBe.values()) {
      if (refusal.reason() != Reason.UNKNOWN_SERVICE) {
        return new Completion.Answered(refusal);
      }
    }
    String hosted =
        cannotBe.values().stream()
            .flatMap(refusal -> Stream.of(refusal.detail().split(", ")))
            .filter(name -> !name.isEmpty())
            .distinct()
            .collect(Collectors.joining(", "));
    return new Completion.Answered(new Answer.Refused(Reason.UNKNOWN_SERVICE, hosted));
  }
}
