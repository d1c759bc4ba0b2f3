package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.Reconciliation;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** What clients asked for, and all that was seen of it. Judges nothing. */
final class History {
  private final Map<Long, Operation> byTicket = new LinkedHashMap<>();
  private final List<Operation> updates = new ArrayList<>();
  private final Map<Call, Operation> byCall = new LinkedHashMap<>();
  private final NavigableMap<RequestId, Operation> byId = new TreeMap<>();
  private final Map<Long, Long> answeredBelow = new TreeMap<>();
  private final SortedMap<Long, Set<Incarnation>> writes = new TreeMap<>();
  private final Map<RequestId, Long> tags = new TreeMap<>();
  private final Map<Long, Set<Incarnation>> shown = new TreeMap<>();
  private final List<Evidence.Divergence> divergences = new ArrayList<>();
  private boolean beganApart;
  private boolean settledApart;
  private long longestLeapMillis;
  private final Set<Incarnation> lost = new TreeSet<>();
  private final Set<Incarnation> copied = new TreeSet<>();

  /** A replica said that its state is another one than that of the same updates elsewhere. */
  void diverged(Incarnation replica, List<String> collections) {
    divergences.add(new Evidence.Divergence(replica.toString(), collections));
  }

  List<Evidence.Divergence> divergences() {
    return Collections.unmodifiableList(divergences);
  }

  void submitted(Operation operation) {
    byTicket.put(operation.ticket, operation);
    if (operation.invocation.update()) {
      updates.add(operation);
    }
    byCall.put(operation.invocation.call(), operation);
  }

  /** A replica said that it gave these up. */
  void gaveUp(Reconciliation.Updates updates) {
    for (Reconciliation.Id id : updates.ids()) {
      RequestId request = new RequestId(id.client(), id.sequence());
      Operation operation = byId.get(request);
      if (operation != null) {
        operation.giveUp();
      }
      Long tag = tags.get(request);
      if (tag != null) {
        writes.remove(tag); // Nobody has to have it any more.
      }
    }
  }

  /** A front-end sent an update. */
  void sent(Message.Update update) {
    checkAnswered(update);
    answeredBelow.merge(update.id().client(), update.answeredBelow(), Math::max);
    Operation operation = byCall.get(update.call());
    if (operation != null) {
      operation.ids.add(update.id());
      byId.put(update.id(), operation);
      operation.stamps.add(Stamp.of(update.part()));
      operation.sentStamps.add(Stamp.of(update.part()));
    }
  }

  /** A client that says that it has an answer does not wait for it: replicas forget it then. */
  private void checkAnswered(Message.Update update) {
    long client = update.id().client();
    RequestId first = new RequestId(client, 1);
    RequestId below = new RequestId(client, Math.max(1, update.answeredBelow()));
    byId.subMap(first, true, below, false)
        .forEach((id, operation) -> {
          if (operation.isOpen()) {
            throw wrong("a client says that it has the answer to " + id + ", and waits for it");
          }
        });
  }

  /** An update was seen with this stamp. */
  void seen(Entry entry) {
    Operation operation = byId.get(entry.id());
    if (operation != null) {
      operation.stamps.add(entry.stamp());
      operation.entryStamps.add(entry.stamp());
    }
  }

  /** Whether a client has said that it has the answer to an update. */
  boolean isConfirmed(RequestId update) {
    return update.sequence() < answeredBelow.getOrDefault(update.client(), 0L);
  }

  /**
   * A replica sent a reply.
   *
   * @param rerunsBefore how many entries it had executed again before the step
   * @param rerunsAfter the same after the step
   */
  void replied(Incarnation replica, Message.Reply reply, long rerunsBefore, long rerunsAfter) {
    Operation operation = byId.get(reply.id());
    if (operation == null || !reply.update()) {
      return;
    }
    if (reply.answer() instanceof Answer.Refused) {
      return;
    }
    operation.executors.add(replica);
    var before = operation.given.put(replica, new Operation.Given(reply.answer(), rerunsBefore));
    if (before != null
        && !before.answer().equals(reply.answer())
        && before.rerunsBefore() == rerunsAfter) {
      operation.changedAnswers.put(
          replica, "first " + before.answer() + ", then " + reply.answer());
    }
  }

  /** A process may have begun by itself while another one had. */
  void beganApart() {
    beganApart = true;
  }

  boolean hasBegunApart() {
    return beganApart;
  }

  /** Two replicas have settled different things. */
  void settledApart() {
    settledApart = true;
  }

  /** A clock was set ahead. */
  void leapt(long millis) {
    longestLeapMillis = Math.max(longestLeapMillis, millis);
  }

  long longestLeapMillis() {
    return longestLeapMillis;
  }

  boolean hasSettledApart() {
    return settledApart;
  }

  /** A process wrote. */
  void wrote(long tag, Incarnation writer) {
    writes.put(tag, new TreeSet<>(List.of(writer)));
  }

  /** The id of what was written last. */
  void named(RequestId id) {
    tags.put(id, writes.lastKey());
  }

  /** So many replicas had a write as its process had waited for. */
  void acked(long tag, Collection<Incarnation> holders) {
    writes.computeIfAbsent(tag, unknown -> new TreeSet<>()).addAll(holders);
  }

  /** A process came back from its disk with a write, unless nobody has to have that any more. */
  void cameBackWith(long tag, Incarnation holder) {
    Set<Incarnation> holders = writes.get(tag);
    if (holders != null) {
      holders.add(holder);
    }
  }

  /** What processes wrote, by tag, and who is known to have had it. */
  SortedMap<Long, Set<Incarnation>> writes() {
    return Collections.unmodifiableSortedMap(writes);
  }

  /** A replica was seen to have the effects of these writes. */
  void showed(Incarnation replica, Set<Long> tags) {
    tags.forEach(tag -> shown.computeIfAbsent(tag, first -> new TreeSet<>()).add(replica));
  }

  /** By tag who was seen to have the effect of a write. */
  Map<Long, Set<Incarnation>> shown() {
    return Collections.unmodifiableMap(shown);
  }

  /** Under which id each write travels, by tag. */
  SortedMap<Long, RequestId> writeIds() {
    SortedMap<Long, RequestId> ids = new TreeMap<>();
    tags.forEach((id, tag) -> ids.put(tag, id));
    return ids;
  }

  /** A front-end says what the chain of a request has seen. */
  void saw(long ticket, Seen seen) {
    Operation operation = byTicket.get(ticket);
    if (operation == null || operation.chain == null) {
      throw wrong("a front-end says what ticket " + ticket + " saw, which nobody wants to know");
    }
    operation.chain.saw(operation, seen);
  }

  Operation completed(long ticket, Completion how, long clockNanos) {
    Operation operation = byTicket.get(ticket);
    if (operation == null) {
      throw wrong("a front-end completed ticket " + ticket + ", which nobody submitted");
    }
    if (operation.completion() != null) {
      throw wrong("a front-end completed ticket " + ticket + " twice");
    }
    operation.complete(how, clockNanos, lost::contains, copied);
    return operation;
  }

  private static Violation.Found wrong(String sentence) {
    return new Violation.Found(new Violation(Violation.Kind.WRONG_OUTCOME, sentence));
  }

  boolean hasCopies() {
    return !copied.isEmpty();
  }

  /** Two processes have one id. */
  void copied(Incarnation replica, Incarnation copy) {
    copied.add(replica);
    copied.add(copy);
  }

  /** A replica lost its memory. */
  void lost(Incarnation replica) {
    lost.add(replica);
  }

  /** How often a replica lost its memory. */
  int losses() {
    return lost.size();
  }

  boolean isLost(Incarnation replica) {
    return lost.contains(replica);
  }

  /** Those that have asked for updates. */
  LongStream clients() {
    return byId.keySet().stream().mapToLong(RequestId::client).distinct();
  }

  Collection<Operation> operations() {
    return Collections.unmodifiableCollection(byTicket.values());
  }

  List<Operation> updates() {
    return Collections.unmodifiableList(updates);
  }
}
