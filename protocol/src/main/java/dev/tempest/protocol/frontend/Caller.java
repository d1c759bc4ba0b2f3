package dev.tempest.protocol.frontend;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.frontend.Requests.Event;
import dev.tempest.wire.RequestId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One front-end incarnation: its name, its numbers, and what it has under way. Costs little while
 * it asks for nothing.
 */
final class Caller {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Which of its requests, as replies say it. */
  record Key(long service, boolean update, long sequence) {}

  final long client;
  final int acks;
  final int updatesMax;
  final long retryAfterNanos;
  private final long firstUpdate;
  private final Map<Long, Numbers> numbers = new LinkedHashMap<>(2);
  private final Map<Key, Pending> begun = new LinkedHashMap<>(2);
  private final Map<Long, Pending> tickets = new LinkedHashMap<>(2);

  Caller(Event.Open open, int updatesMax) {
    this.updatesMax = updatesMax;
    this.client = open.client();
    this.acks = open.acks();
    this.retryAfterNanos = open.retryAfterMillis() * NANOS_PER_MILLI;
    this.firstUpdate = open.firstUpdate();
  }

  /** How many requests it has that have not ended. */
  int size() {
    return tickets.size();
  }

  /** Those of its requests that have not ended. */
  List<Pending> all() {
    return List.copyOf(tickets.values());
  }

  @Nullable Pending of(long ticket) {
    return tickets.get(ticket);
  }

  @Nullable Pending of(Key key) {
    return begun.get(key);
  }

  /** Takes a request. True if it may begin, false if it has to wait for its turn. */
  boolean add(Pending request) {
    tickets.put(request.submit.ticket(), request);
    Numbers number = numbers(request.submit.service());
    if (request.submit.update() && !mayBegin(number)) {
      number.waiting.add(request);
      return false;
    }
    return true;
  }

  void begin(Pending request, long nowNanos) {
    Numbers number = numbers(request.submit.service());
    boolean update = request.submit.update();
    long sequence = update ? ++number.updates : ++number.reads;
    request.begin(new RequestId(client, sequence), nowNanos);
    begun.put(request.key(), request);
    if (update) {
      number.underWay.add(sequence);
    }
  }

  /** Forgets a request that ends. */
  void end(Pending request) {
    request.done = true;
    tickets.remove(request.submit.ticket());
    Numbers number = numbers(request.submit.service());
    if (!request.hasBegun()) {
      number.waiting.remove(request);
      return;
    }
    begun.remove(request.key());
    if (request.submit.update()) {
      number.underWay.remove(request.id().sequence());
    }
  }

  /** Takes the update whose turn it is; null if none waits, or none may begin. */
  @Nullable Pending takeNext(long service) {
    Numbers number = numbers(service);
    return mayBegin(number) && !number.waiting.isEmpty() ? number.waiting.removeFirst() : null;
  }

  /** Below which number all its updates of a service have been answered. */
  long answeredBelow(long service) {
    Numbers number = numbers(service);
    return number.underWay.isEmpty() ? firstUpdate : number.underWay.first();
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    tickets.forEach((ticket, request) -> {
      Numbers number = numbers(request.submit.service());
      Invariant.check(!request.done, "what has ended is forgotten");
      Invariant.check(
          request.executedBy.size() < (request.submit.update() ? acks : 1),
          "what enough replicas have executed is answered");
      Invariant.check(
          request.hasBegun()
              ? begun.get(request.key()) == request
              : number.waiting.contains(request),
          "a request has begun, or waits for its turn");
      Invariant.check(
          !request.hasBegun()
              || !request.submit.update()
              || number.underWay.contains(request.id().sequence()),
          "an update that has not ended is under way");
    });
    numbers
        .values()
        .forEach(number -> {
          Invariant.check(
              number.underWay.isEmpty() || number.updates < number.underWay.first() + updatesMax,
              "the answer of each update that is under way is kept");
          Invariant.check(
              number.waiting.isEmpty() || !mayBegin(number),
              "nothing waits for its turn that may begin");
        });
    long updates = begun.values().stream().filter(request -> request.submit.update()).count();
    Invariant.check(
        updates == numbers.values().stream().mapToLong(number -> number.underWay.size()).sum(),
        "what is under way has begun");
    Invariant.check(
        begun.size() + numbers.values().stream().mapToLong(each -> each.waiting.size()).sum()
            == tickets.size(),
        "every request has one ticket");
  }

  private Numbers numbers(long service) {
    return numbers.computeIfAbsent(service, hash -> new Numbers(firstUpdate));
  }

  /**
   * Whether the next update may begin. Replicas keep the latest answers: if one under way is older
   * than these, and its reply is lost, nobody could answer it any more.
   */
  private boolean mayBegin(Numbers number) {
    return number.underWay.isEmpty() || number.updates + 1 < number.underWay.first() + updatesMax;
  }

  /** The counts for one service, and the updates that have not ended. */
  private static final class Numbers {
    final TreeSet<Long> underWay = new TreeSet<>();
    final LinkedHashSet<Pending> waiting = new LinkedHashSet<>(0);
    long updates;
    long reads;

    Numbers(long firstUpdate) {
      this.updates = firstUpdate - 1;
    }
  }
}
