package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.wire.LogMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which replica each process is. One that has come back with a log is the replica that it was
 * before; any other one is a replica of its own, of the same id. Until another process knows that,
 * this one says nothing else to it: what it says would count as that of a replica more.
 *
 * <p>Not thread-safe.
 */
final class Seats {
  private final long replica;
  private final long process;
  private final long againNanos;

  /**
   * By process, for those that have come back. One that is out of sight for a while is the same
   * when it is here again; each life is another process.
   */
  private final Map<Long, Long> back = new LinkedHashMap<>();

  /** The processes that know which replica this one is. */
  private final Set<Long> knowing = new LinkedHashSet<>();

  private SortedMap<Long, Address> processes;
  private long sayNanos;

  /**
   * Of this process, which is this replica.
   *
   * @param againNanos how often it says so to those who do not know
   * @param processes all that there are, and where they are reached
   */
  Seats(long replica, long process, long againNanos, SortedMap<Long, Address> processes) {
    this.replica = replica;
    this.process = process;
    this.againNanos = againNanos;
    this.processes = processes;
  }

  /** The processes are others now. */
  void change(SortedMap<Long, Address> changed) {
    processes = changed;
    sayNanos = 0;
  }

  /** All replicas that are here, and where they are reached; those that may be spoken to. */
  SortedMap<Long, Address> view() {
    SortedMap<Long, Address> view = new TreeMap<>();
    processes.forEach((each, address) -> {
      if (hears(each)) {
        view.put(replicaOf(each), address);
      }
    });
    return view;
  }

  /** Which replica a process is, as far as is known. */
  long replicaOf(long each) {
    return each == process ? replica : back.getOrDefault(each, each);
  }

  /** Whether a process knows who speaks to it. */
  boolean hears(long each) {
    return replica == process || each == process || knowing.contains(each);
  }

  /** When {@link #say} has something to say. */
  long nextTickNanos() {
    return unaware().isEmpty() ? Long.MAX_VALUE : sayNanos;
  }

  /** To whom it is to be said now which replica this process is. */
  List<Address> say(long nowNanos) {
    if (nowNanos < sayNanos) {
      return List.of();
    }
    sayNanos = nowNanos + againNanos;
    return unaware();
  }

  /** Why it says nothing; null if it does. */
  @Nullable String why() {
    List<Address> unaware = unaware();
    if (unaware.isEmpty() || unaware.size() < processes.size() - 1) {
      return null;
    }
    return "no other process lets it go on as the member that it was: "
        + unaware
        + ". If one of them was started with a copy of its checkpoint-folder, end that one";
  }

  private List<Address> unaware() {
    if (replica == process) {
      return List.of(); // It goes by its own name.
    }
    List<Address> unaware = new ArrayList<>();
    processes.forEach((each, address) -> {
      if (!hears(each)) {
        unaware.add(address);
      }
    });
    return unaware;
  }

  /**
   * A process says that it has come back, or that this one may go on as who it is.
   *
   * @return where it is to be told that it may; null if there is nothing to be said
   */
  @Nullable Address received(long from, LogMessage.OfSeats said) {
    Address address = processes.get(from);
    if (address == null) {
      return null;
    }
    return switch (said) {
      case LogMessage.ComesBack(long as) -> {
        boolean isTaken =
            processes.keySet().stream().anyMatch(each -> each != from && replicaOf(each) == as);
        if (isTaken) {
          yield null; // Until that process is known to have ended.
        }
        back.put(from, as);
        yield address;
      }
      case LogMessage.Welcome(long to) -> {
        if (to == process) { // Else it is for the process that was here before.
          knowing.add(from);
        }
        yield null;
      }
    };
  }
}
