package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Body;
import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Executed;
import dev.tempest.wire.Message;
import dev.tempest.wire.Piece;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.Wish;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages in short words, with the names that a world gives its processes. */
final class Names {
  private final Map<Long, String> clients = new TreeMap<>();
  private final Function<Call, String> calls;

  Names(Function<Call, String> calls) {
    this.calls = calls;
  }

  void client(long client, String name) {
    clients.put(client, name);
  }

  String id(RequestId id) {
    return client(id.client()) + "/" + id.sequence();
  }

  String view(Collection<Long> members) {
    return members.stream().map(this::client).collect(Collectors.joining(", ", "[", "]"));
  }

  private String client(long client) {
    String name = clients.get(client);
    return name == null ? Long.toHexString(client) : name;
  }

  /** A stamp as the time since the world began, and its counter. */
  static String stamp(long stamp) {
    long millis = Stamp.millis(stamp) - SimClock.EPOCH_NANOS / 1_000_000;
    return String.format(
        Locale.ROOT, "%d.%03d:%d", millis / 1_000, Math.floorMod(millis, 1_000), stamp & 0xFFFF);
  }

  String call(Call call) {
    return calls.apply(call);
  }

  String message(Message message) {
    return switch (message) {
      case Message.Update update ->
          "update "
              + id(update.id())
              + " @"
              + stamp(Stamp.of(update.part()))
              + " "
              + call(update.call())
              + (update.attempt() == 0 ? "" : " attempt " + update.attempt());
      case Message.Read read -> "read " + id(read.id()) + " " + call(read.call());
      case Message.Reply reply ->
          "reply to "
              + (reply.update() ? "update " : "read ")
              + id(reply.id())
              + ": "
              + answer(reply.answer());
      case Message.SeenRead(Message.Read read, Seen seen) -> message(read) + " having seen " + seen;
      case Message.SeenReply(Message.Reply reply, Seen seen) ->
          message(reply) + " of one that has " + seen;
      case Message.Beacon beacon -> "beacon " + beacon.id().sequence();
      case Message.BeaconAnswer answer ->
          "answer to beacon " + answer.id().sequence() + ", load " + answer.load();
      case Message.ReplicaMessage between -> between(between);
      case Message.MemberMessage member -> member.toString();
      case Message.AddressMessage address -> address.toString();
      case Message.ToolMessage tool -> tool.toString();
    };
  }

  private String between(Message.ReplicaMessage message) {
    return switch (message) {
      case Message.Digest digest ->
          "digest settled "
              + prefix(digest.settled())
              + " closed "
              + prefix(digest.closed())
              + " open "
              + list(digest.open(), epoch -> epoch(epoch.epoch()) + ":" + epoch.count());
      case Message.Have have -> "have " + list(have.ranges(), this::range);
      case Message.Want want -> "want " + list(want.ids(), this::ids);
      case Message.Repair repair -> "repair " + list(repair.entries(), this::entry);
      case Message.StateSummary summary -> "state " + summary.collections();
      case Message.StateRequest request -> "state request";
      case Message.AckRequest request -> "who has " + ids(request.ids()) + "?";
      case Message.Ack ack -> "has " + ids(ack.ids());
      case Message.StateUnavailable unavailable -> "state unavailable";
      case Message.StateOffer offer -> "offers state settled " + prefix(offer.settled());
      case Message.PieceRequest request -> "wants " + wish(request.wish());
      case Message.StatePiece piece ->
          "piece settled " + prefix(piece.settled()) + " " + piece(piece.piece());
      case Message.PieceUnavailable unavailable -> "piece unavailable: " + unavailable.reason();
      case Message.OfLog log -> log.said().toString();
    };
  }

  private String wish(Wish wish) {
    return switch (wish) {
      case Wish.OfVersion version -> "version " + version.wish().size() + " B";
      case Wish.OfClients clients -> "clients from " + clients.from();
      case Wish.OfEntries entries -> "entries after " + id(entries.id());
    };
  }

  private String piece(Piece piece) {
    return switch (piece) {
      case Piece.OfVersion version -> "version " + version.bytes().size() + " B";
      case Piece.OfClients clients -> "clients from " + clients.from();
      case Piece.OfEntries entries -> "entries " + list(entries.entries(), entry -> id(entry.id()));
    };
  }

  private static <T> String list(List<T> items, Function<T, String> name) {
    return items.stream().map(name).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String prefix(Message.Prefix prefix) {
    return epoch(prefix.throughEpoch()) + ":" + prefix.count();
  }

  /** Epochs count from 1970: the last five digits tell them apart. */
  private static String epoch(long epoch) {
    return epoch < 100_000 ? Long.toString(epoch) : ".." + epoch % 100_000;
  }

  private String range(Message.RangeIds range) {
    return epoch(range.first()) + "-" + epoch(range.last()) + list(range.clients(), this::ids);
  }

  private String ids(Message.ClientIds ids) {
    return client(ids.client()) + ids.sequences();
  }

  private String entry(Entry entry) {
    return id(entry.id()) + " @" + stamp(entry.stamp()) + " " + body(entry.body());
  }

  private String body(Body body) {
    return switch (body) {
      case Call call -> call(call);
      case Change change -> "change of " + change.writes().size() + " bytes";
      case Executed executed -> "executed: " + answer(executed.answer());
    };
  }

  String completion(@Nullable Completion completion) {
    return switch (completion) {
      case null -> "abandoned";
      case Completion.Answered(Answer answer) -> answer(answer);
      case Completion.Unknown(int attempts, var refusal) ->
          "unknown after " + attempts + " attempts";
      case Completion.Closed closed -> "closed";
    };
  }

  private String answer(Answer answer) {
    return switch (answer) {
      case Answer.Returned(Bytes result) -> "returned " + result;
      case Answer.Threw(String className, String message) -> "threw " + className + ": " + message;
      case Answer.Refused(Answer.Reason reason, String detail) ->
          "refused " + reason + (detail.isEmpty() ? "" : " (" + detail + ")");
    };
  }
}
