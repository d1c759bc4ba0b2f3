package dev.tempest.simulator;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks for one thing after the other; sends it again until it is answered, or given up. */
final class CountingClient {
  private static final long MILLI = 1_000_000;
  private static final long AGAIN_NANOS = 60 * MILLI;
  private static final int UPDATE_PERCENT = 60;
  private static final int READER_PERCENT = 40;
  private static final int KNOWS_SOME_PERCENT = 60;

  /** Of worlds whose servers vote, one in so many: these come to nothing there. */
  private static final long SENDS_TO_SOME = 4;

  private static final int NEW_PERCENT = 10;
  private static final int TRANSACTION_PERCENT = 20;
  private static final int WITH_HANDLE_PERCENT = 30;

  /** Of an update that was answered a copy comes, long after. */
  private static final int COPY_PERCENT = 10;

  private static final int COPY_LATE_MILLIS = 4_000;

  /** Where clients are forgotten, it goes on so often as another one. */
  private static final int RENEWED_PERCENT = 10;

  private static final ServiceMethod NEXT = method("next");
  private static final ServiceMethod ANOTHER = method("another");
  private static final ServiceMethod REFUSE = method("refuse");
  private static final ServiceMethod COUNT = method("count");
  private static final ServiceMethod LATEST = method("latest");

  final int place;
  private final CountingVotes votes = new CountingVotes();
  private final CountingWorld world;
  private final Randomness random;

  /** Draws apart who it is. */
  private final Randomness names;

  private long id;

  /** None of a reader's: a leader has to wait before it reads if it has an update to agree on. */
  private final int updatePercent;

  /** The servers that it knows: all, or one less. */
  private final List<Integer> servers;

  private long updates;
  private long reads;
  private int attempt;

  /** When what is open counts: as it was first asked for, unless that was refused. */
  private OrderPart part = OrderPart.NONE;

  private ServiceMethod update = NEXT;

  /** As which the update that is open is made; null for one call. */
  private @Nullable CountingTransaction transaction;

  private @Nullable Message latestUpdate;

  /** Counts what is asked for; of what was before nothing is sent again. */
  private long asked;

  private CountingHistory.Operation open = new CountingHistory.Operation(0, false, 0);

  /** All that it was told. */
  private Seen seen = Seen.NOTHING;

  CountingClient(CountingWorld world, int place, Randomness random) {
    this.world = world;
    this.place = place;
    this.random = random;
    this.id = random.nextLong();
    this.names = new Randomness(id);
    this.updatePercent = random.chance(READER_PERCENT) ? 0 : UPDATE_PERCENT;
    this.servers = new ArrayList<>();
    for (int server = 0; server < world.size(); server++) {
      servers.add(server);
    }
    if (servers.size() > 1 && random.chance(KNOWS_SOME_PERCENT)) {
      int unknown = random.below(servers.size());
      if (!world.order().isFast() || world.seed() % SENDS_TO_SOME == 0) {
        servers.remove(/* index */ unknown);
      }
    }
  }

  /** How many answers it knew by votes. */
  int chosen() {
    return votes.chosen();
  }

  /** Whether it asks for updates. */
  boolean updates() {
    return updatePercent > 0;
  }

  /** Asks for the next thing, and when that has ended for more. */
  void ask() {
    if (world.limits().forgetsSoon() && names.chance(RENEWED_PERCENT)) {
      id = names.nextLong();
      updates = 0;
      latestUpdate = null;
    }
    open = new CountingHistory.Operation(place, random.chance(updatePercent), world.nowNanos());
    world.history().add(open);
    update = open.isUpdate && isNew() ? ANOTHER : NEXT;
    transaction =
        open.isUpdate && random.chance(TRANSACTION_PERCENT) ? transaction(random.nextLong()) : null;
    askFor();
  }

  private CountingTransaction transaction(long seed) {
    if (update.equals(ANOTHER) || seed % 2 != 0) {
      return new CountingTransaction(List.of(LATEST, update), seed);
    }
    boolean isRefused = seed % 4 == 0; // It is not asked at first, and taken to have returned.
    return new CountingTransaction(
        isRefused ? List.of(REFUSE, COUNT, LATEST) : List.of(COUNT, LATEST), seed);
  }

  /** Asks for what is next of the operation that is open. */
  private void askFor() {
    if (sendsUpdate()) {
      updates++;
    } else {
      reads++;
    }
    attempt = 0;
    part = Stamp.partAt(world.clockNanos());
    asked++;
    send(asked);
  }

  private boolean sendsUpdate() {
    CountingTransaction made = transaction;
    return made == null ? open.isUpdate : made.commits();
  }

  /** Whether it asks for what older servers lack; then it may wait until it gives up. */
  private boolean isNew() {
    return world.oddity() == CountingWorld.Oddity.OLDER && random.chance(NEW_PERCENT);
  }

  private void send(long what) {
    if (what != asked || !open.isOpen()) {
      return;
    }
    if (world.nowNanos() - open.fromNanos > world.limits().deadlineMillis() * MILLI) {
      open.givenUp = true;
      askLater();
      return;
    }
    Call call = transaction == null ? call(open.isUpdate ? update : LATEST) : transaction.call();
    if (sendsUpdate()) {
      Message update = update(call);
      latestUpdate = update;
      sendToAll(update);
    } else {
      var read = new Message.Read(CountingWorld.SERVICE, name(), call);
      boolean isSession = world.order().reads() == Order.ByConsensus.Reads.SESSION;
      boolean saysSeen = isSession || random.chance(WITH_HANDLE_PERCENT);
      Message sent = saysSeen ? new Message.SeenRead(read, seen) : read;
      world.send(place, random.pick(servers), sent);
    }
    attempt++;
    world.after(AGAIN_NANOS, () -> send(what));
  }

  private void sendToAll(Message update) {
    for (int server : servers) {
      world.send(place, server, update);
    }
  }

  private RequestId name() {
    return new RequestId(id, sendsUpdate() ? updates : reads);
  }

  private Message update(Call call) {
    return new Message.Update(CountingWorld.SERVICE, name(), part, call, attempt, 1, updates);
  }

  /** Something has come. */
  void received(Message message) {
    switch (message) {
      case Message.Reply reply -> received(reply);
      case Message.SeenReply(var reply, var more) -> {
        if (received(reply)) {
          seen = seen.max(more);
        }
      }
      default -> {}
    }
  }

  /** Whether so many have voted for it as have to, if it is a vote. */
  private boolean counts(Message.Reply reply) {
    if (!(reply.part() instanceof OrderPart.Voted voted)) {
      return true;
    }
    if (votes.add(reply, voted)) {
      seen = seen.max(new SeenByLog(voted.slot()));
      return true;
    }
    return false;
  }

  /** Whether it is what is waited for. */
  private boolean received(Message.Reply reply) {
    boolean isUntimely =
        reply.answer() instanceof Answer.Refused(var why, var how)
            && (why == Reason.STAMP_EXPIRED || why == Reason.STAMP_AHEAD);
    if (isUntimely && sendsUpdate() && reply.id().equals(name())) {
      part = new OrderPart.Stamped(Stamp.of(reply.part()));
    }
    if (open.isOpen()
        && reply.update() == sendsUpdate()
        && reply.id().equals(name())
        && reply.answer() instanceof Answer.Returned(var value)
        && counts(reply)) {
      if (transaction != null) {
        transaction.take(value);
        if (!transaction.hasCommitted()) {
          askFor();
          return true;
        }
        open.answered(transaction.value(), world.nowNanos());
      } else {
        ServiceMethod method = open.isUpdate ? update : LATEST;
        open.answered((long) Objects.requireNonNull(method.decodeResult(value)), world.nowNanos());
      }
      if (reply.update() && reply.part() instanceof OrderPart.Logged(long stamp, long slot)) {
        seen = seen.max(new SeenByLog(slot));
      }
      Message copy = latestUpdate;
      if (copy != null && reply.update() && random.chance(COPY_PERCENT)) {
        world.after(random.below(COPY_LATE_MILLIS) * MILLI, () -> sendToAll(copy));
      }
      askLater();
      return true;
    }
    return false;
  }

  private void askLater() {
    if (world.takesRequests()) {
      world.after(random.below(world.pauseMaxMillis() * 1_000) * 1_000L, this::ask);
    }
  }

  static ServiceMethod method(String name) {
    return ServiceInterface.of(Counting.class).methods().stream()
        .filter(method -> method.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static Call call(ServiceMethod method, Object... arguments) {
    return new Call(method.number(), method.encode(arguments));
  }
}
