package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Invariant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica has promised and accepted (Lamport; Zhang, chapter VI). A log is accepted as a
 * whole: of two that were accepted by the same ballot, one begins with the other; so a committed
 * entry is in the one of the highest ballot that any majority has, and of these in the longest.
 */
final class Acceptor {
  /** The log of a new leader, as far as it has come. It counts when it is whole. */
  private record Coming(long base, List<Entry> entries) {
    long length() {
      return base + entries.size();
    }
  }

  private final Log log;
  private Ballot promised = Ballot.NONE;
  private Ballot accepted = Ballot.NONE;
  private @Nullable Coming coming;

  Acceptor(List<Long> firstMembers) {
    this.log = new Log(firstMembers);
  }

  Log log() {
    return log;
  }

  /** It follows no lower one. */
  Ballot promised() {
    return promised;
  }

  /** Whether it follows this ballot from now on, or did already. */
  boolean promise(Ballot ballot) {
    if (ballot.isBelow(promised)) {
      return false;
    }
    if (!ballot.equals(promised)) {
      promised = ballot;
      coming = null;
    }
    return true;
  }

  /** What to say to the leader that it follows; null for nothing. */
  @Nullable LogMessage answer(LogMessage.OfLeader said, int batchMax) {
    return switch (said) {
      case LogMessage.Prepare prepare -> promise();
      case LogMessage.Fetch(var ballot, var from) ->
          new LogMessage.Fetched(ballot, from, log.from(from, batchMax));
      case LogMessage.Sync sync -> sync(sync);
      case LogMessage.Accept accept -> accept(accept);
    };
  }

  /** What it has promised, and what it had accepted before. */
  LogMessage.Promise promise() {
    return new LogMessage.Promise(promised, accepted, log.length(), log.committed(), log.members());
  }

  /** Takes over the log of another one, and begins to lead by the ballot that it has promised. */
  void lead(long from, List<Entry> entries) {
    log.replace(from, entries);
    accepted = promised;
    log.add(new Entry.Begun(promised));
  }

  private @Nullable LogMessage sync(LogMessage.Sync sync) {
    if (accepted.equals(promised)) {
      return new LogMessage.Accepted(promised, log.length());
    }
    if (sync.base() < log.committed() || sync.base() > log.length()) {
      return null; // That is no log of its own.
    }
    Coming has = coming;
    if (has == null) {
      has = new Coming(sync.base(), new ArrayList<>());
      coming = has;
    }
    if (sync.base() == has.base() && sync.from() >= has.base() && sync.from() <= has.length()) {
      List<Entry> entries = sync.entries();
      long known = Math.min(has.length() - sync.from(), entries.size());
      has.entries().addAll(entries.subList((int) known, entries.size()));
    }
    if (has.length() < sync.whole()) {
      return new LogMessage.Synced(promised, has.length());
    }
    log.replace(has.base(), has.entries());
    accepted = promised;
    coming = null;
    return new LogMessage.Accepted(promised, log.length());
  }

  private LogMessage.@Nullable Accepted accept(LogMessage.Accept accept) {
    if (!accepted.equals(promised)) {
      return null; // It does not have the log before it.
    }
    List<Entry> entries = accept.entries();
    if (accept.from() <= log.length()) {
      long known = Math.min(log.length() - accept.from(), entries.size());
      entries.subList((int) known, entries.size()).forEach(log::add);
    }
    log.commit(accept.committed());
    return new LogMessage.Accepted(promised, log.length());
  }

  void checkInvariants() {
    Invariant.check(!promised.isBelow(accepted), "what was accepted was promised");
    Invariant.check(log.committed() <= log.length(), "what is committed is there");
  }
}
