package dev.tempest.protocol.membership;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Message.Hosting;
import dev.tempest.wire.Message.HostingRequest;
import dev.tempest.wire.Message.MemberMessage;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.Message.Probe;
import dev.tempest.wire.Message.Roster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the processes of a cluster find each other and keep track of who is there.
 *
 * <p>A process that starts probes; members answer with what they know, and it is one of them. If
 * nobody answers, the one with the lowest id among those that probe founds a cluster, unless a
 * process lives where one may be and does not answer: that one may be busy. From then on every
 * member tells two others in each round what it knows, and what they know is united: two clusters
 * that hear of each other become one.
 *
 * <p>Guarantees that processes that can reach each other in time have the same view, and that who
 * is gone in time is in no view. Does not guarantee that views are equal at any moment, nor does it
 * agree on them: a slow or cut off process can be expelled while it runs, and comes back when it is
 * heard of again.
 *
 * <p>Compares no clocks of different processes, and counts only the time in which this one ran: one
 * that was stopped does not expel all others when it goes on. Not thread-safe: its owner calls
 * {@link #step} from one thread at a time.
 */
public final class Members {
  /** What happens to it. Times as in {@link dev.tempest.protocol.Event}. */
  public sealed interface Event {
    /** When it happens. */
    long nowNanos();

    /** Time has passed. */
    record Tick(long nowNanos) implements Event {}

    /** A message arrived. */
    record Received(long nowNanos, Address from, MemberMessage message) implements Event {}

    /** Other processes may be at these addresses, and no longer at those named before. */
    record Candidates(long nowNanos, List<String> candidates) implements Event {
      /** Takes a copy of the first {@link MemberSettings#CANDIDATES_MAX}. */
      public Candidates {
        candidates =
            List.copyOf(
                candidates.subList(0, Math.min(candidates.size(), MemberSettings.CANDIDATES_MAX)));
      }
    }

    /**
     * From now on this process hosts these services and no others.
     *
     * @param services the stable hashes of their names
     */
    record Hosts(long nowNanos, SortedSet<Long> services) implements Event {
      /** Refuses more than others would take. */
      public Hosts {
        if (services.size() > SERVICES_MAX) {
          throw new IllegalArgumentException(
              "a process hosts at most " + SERVICES_MAX + " services, not " + services.size());
        }
      }
    }

    /** Somebody acts like a member and is not known as one: it may have joined unheard. */
    record Stranger(long nowNanos, Address from) implements Event {}

    /** A process was heard that speaks only other versions of the wire. */
    record OtherVersion(long nowNanos) implements Event {}

    /** What {@link Effect.Knock} found, or what has changed there since. */
    record Knocked(long nowNanos, Address at, Occupant occupant) implements Event {}

    /** The process is about to end. */
    record Leave(long nowNanos) implements Event {}
  }

  /** What it wants done. */
  public sealed interface Effect {
    /** Send to one process, with no promise that it arrives. */
    record Send(Address to, MemberMessage message) implements Effect {}

    /** Find out who lives there, whether it has time to answer or not. */
    record Knock(Address at) implements Effect {}

    /** Send to whoever listens, if the network can do so; this process may hear it too. */
    record Announce(MemberMessage message) implements Effect {}
  }

  /** Where a process is in its life. */
  public enum Phase {
    /** It looks for a cluster. */
    PROBING,
    /** It is a member. */
    ACTIVE,
    /** It says goodbye. */
    LEAVING,
    /** It has said goodbye, and may end. */
    LEFT
  }

  /** The most services that one process hosts. */
  public static final int SERVICES_MAX = 1_024;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** About so many answer a probe that went to everybody. */
  private static final int ANSWERS = 8;

  private static final int TOLD_A_ROUND = 2;
  private static final int TOLD_ON_JOINING = 16;
  private static final int STRANGERS_MAX = 4;

  /** About so many of all members announce themselves each time. */
  private static final int ANNOUNCERS = 2;

  private final MemberSettings settings;
  private final Self self;
  private final OwnRecord own;
  private final Member selfMember;
  private final Function<String, @Nullable Address> addresses;
  private final SplittableRandom random;
  private final MemberTable table;
  private final Rosters rosters;
  private final Turns turns;
  private final Elsewhere elsewhere;
  private final Probing probing;
  private final Hosts hosts;
  private final Goodbyes goodbyes;
  private SortedMap<Long, Member> view = Collections.emptySortedMap();
  private SortedSet<Long> alive = Collections.emptySortedSet();
  private Phase phase = Phase.PROBING;
  private boolean founded;
  private long nowNanos;

  /** Time that counts: while this process was stopped it stood still. */
  private long ranNanos;

  private long nextNanos;
  private long nextReachOutNanos = Long.MAX_VALUE;
  private long mayAskStrangerNanos = Long.MIN_VALUE;

  /**
   * A process that knows nobody; it probes with the first {@link Event.Tick}.
   *
   * @param addresses makes an address of a text; null if it is none
   * @throws IllegalArgumentException if {@code self}'s address is none
   */
  public Members(
      MemberSettings settings,
      Self self,
      Function<String, @Nullable Address> addresses,
      long seed,
      long nowNanos) {
    this.settings = settings;
    this.self = self;
    this.addresses = addresses;
    this.random = new SplittableRandom(seed);
    this.nowNanos = nowNanos;
    this.nextNanos = nowNanos;
    this.selfMember = self.member(addresses);
    Address address = selfMember.address();
    this.table =
        new MemberTable(address, addresses, settings.heartbeatNanos(), settings.expelNanos());
    this.rosters = new Rosters(table, settings.messageMaxBytes(), random.nextLong());
    this.turns = new Turns(table, random);
    this.elsewhere = new Elsewhere(table, address);
    this.probing = new Probing(settings, table, self.id());
    this.goodbyes = new Goodbyes(table);
    this.hosts = new Hosts(table, self, address, settings.probeMillis() * NANOS_PER_MILLI);
    this.own = new OwnRecord(self, hosts);
    elsewhere.candidates(settings.candidates(), addresses);
    refresh();
  }

  /** Takes an event, returns what has to be done about it. */
  public List<Effect> step(Event event) {
    pass(event.nowNanos());
    List<Effect> effects = new ArrayList<>(2);
    if (phase != Phase.LEFT) {
      switch (event) {
        case Event.Tick tick -> tick(effects);
        case Event.Received(var now, var from, var message) -> received(from, message, effects);
        case Event.Candidates(var now, var texts) -> {
          elsewhere.candidates(texts, addresses);
          probing.forget(each -> !elsewhere.isPlace(each));
        }
        case Event.Hosts(var now, var services) -> host(services, effects);
        case Event.Stranger(var now, var from) -> ask(from, effects);
        case Event.OtherVersion heard -> probing.heardOtherVersion();
        case Event.Knocked(var now, var at, var occupant) -> {
          probing.knocked(at, occupant);
          hosts.knocked(at, occupant);
        }
        case Event.Leave leave -> leave(effects);
      }
    }
    refresh();
    if (phase == Phase.ACTIVE) {
      hosts.ask(nowNanos, effects);
    }
    return effects;
  }

  /** A member has said something else than its heartbeat: it is not silent. */
  public void heard(long member) {
    table.heard(member, ranNanos);
  }

  /** When the next {@link Event.Tick} is due; {@link Long#MAX_VALUE} if none is. */
  public long nextTickNanos() {
    return switch (phase) {
      case LEFT -> Long.MAX_VALUE;
      case ACTIVE -> Math.min(hosts.nextAskNanos(), Math.min(nextNanos, nextReachOutNanos));
      case PROBING, LEAVING -> Math.min(nextNanos, nextReachOutNanos);
    };
  }

  /** Where this process is in its life. */
  public Phase phase() {
    return phase;
  }

  /** Whether it keeps probing only because there are processes that speak other versions. */
  public boolean isRefused() {
    return phase == Phase.PROBING && probing.isRefused();
  }

  /** Where processes live that do not answer, and may have what it looks for. */
  public List<Address> awaited() {
    return phase == Phase.PROBING ? probing.awaited(ranNanos) : hosts.awaited();
  }

  /** Whether it became a member by founding a cluster. */
  public boolean founded() {
    return founded;
  }

  /**
   * The members that count, this one included: those that are alive, and those that are silent and
   * may come back. The same map until it changes. Means nothing before {@link Phase#ACTIVE}.
   */
  public SortedMap<Long, Member> view() {
    return view;
  }

  /** The ids of the members of {@link #view} that were heard of lately, this one included. */
  public SortedSet<Long> alive() {
    return alive;
  }

  /**
   * By service the members of {@link #alive} that host it, this one included, and where they are
   * reached. The same map until it changes.
   */
  public SortedMap<Long, SortedMap<Long, Address>> hosts() {
    return hosts.all();
  }

  /** Like {@link #hosts}, with members that are silent, but may host it and only be busy. */
  public SortedMap<Long, Address> mayHost(long service) {
    return hosts.mayHost(service);
  }

  /** Whether a process has said goodbye, and that it was is remembered. */
  public boolean hasLeft(long id) {
    Known known = table.get(id);
    return known != null && known.state == MemberState.LEFT;
  }

  /** Whether {@link #hosts} is complete, as far as it is known who is alive. */
  public boolean knowsHosts() {
    return hosts.isKnown();
  }

  /** Throws {@link AssertionError} if what has to hold after every step does not. */
  public void checkInvariants() {
    table.checkInvariants();
    hosts.checkInvariants();
    Invariant.check(table.get(self.id()) == null, "a member knows itself from others");
    Invariant.check(view.keySet().containsAll(alive), "whoever is alive is in the view");
  }

  private void pass(long toNanos) {
    long passed = Math.max(0, toNanos - nowNanos);
    nowNanos += passed;
    // A process that was stopped has not listened: that alone makes nobody silent.
    ranNanos += Math.min(passed, settings.silentAfterMillis() * NANOS_PER_MILLI / 2);
  }

  private void refresh() {
    if (!table.takeChanged()) {
      return;
    }
    SortedMap<Long, Member> present = table.presentMembers();
    present.put(self.id(), selfMember);
    SortedSet<Long> heard = table.aliveIds();
    heard.add(self.id());
    if (!present.equals(view)) {
      view = Collections.unmodifiableSortedMap(present);
    }
    alive = Collections.unmodifiableSortedSet(heard);
    hosts.refresh();
  }

  private Roster roster() {
    return rosters.next(own.in(phase), ranNanos);
  }

  private void tick(List<Effect> effects) {
    if (nowNanos >= nextNanos) {
      switch (phase) {
        case PROBING -> {
          if (probing.mayFound(ranNanos)) {
            founded = true;
            activate(effects);
          } else {
            probe(effects);
          }
        }
        case ACTIVE -> round(TOLD_A_ROUND, effects);
        case LEAVING -> sayGoodbye(effects);
        case LEFT -> {}
      }
    }
    if (nowNanos >= nextReachOutNanos) {
      nextReachOutNanos = nowNanos + settings.reachOutMillis() * NANOS_PER_MILLI;
      reachOut(effects);
    }
  }

  private void probe(List<Effect> effects) {
    nextNanos = nowNanos + settings.probeMillis() * NANOS_PER_MILLI;
    probing.probed();
    own.beat();
    effects.add(new Effect.Announce(new Probe(own.in(phase), true)));
    Probe probe = new Probe(own.in(phase), false);
    for (Address to : elsewhere.toProbe()) {
      effects.add(new Effect.Send(to, probe));
      if (probing.knocks(to)) {
        effects.add(new Effect.Knock(to));
      }
    }
  }

  /** Becomes a member: tells many at once, so that all know soon. */
  private void activate(List<Effect> effects) {
    phase = Phase.ACTIVE;
    effects.add(new Effect.Announce(roster()));
    round(TOLD_ON_JOINING, effects);
    nextReachOutNanos = nowNanos + random.nextLong(settings.reachOutMillis() * NANOS_PER_MILLI);
  }

  // What others say.

  private void received(Address from, MemberMessage message, List<Effect> effects) {
    if (phase == Phase.LEAVING) {
      return;
    }
    switch (message) {
      case Probe(MemberRecord prober, boolean announced) -> {
        if (isItself(prober, from, effects)) {
          probed(from, take(prober, from), announced, effects);
        }
      }
      case Roster roster -> {
        if (isItself(roster.sender(), from, effects)) {
          told(from, roster, effects);
        }
      }
      case HostingRequest request -> effects.add(new Effect.Send(from, hosts.hosting()));
      case Hosting hosting -> table.take(hosting, from);
    }
  }

  /**
   * Whether another process speaks for itself: a sender is who its address says. If it is somebody
   * else that speaks, or sends from elsewhere, the process is asked at its address.
   */
  private boolean isItself(MemberRecord sender, Address from, List<Effect> effects) {
    Address address = sender.id() == self.id() ? null : table.addressOf(sender);
    if (address != null && !address.equals(from)) {
      ask(address, effects);
    }
    return from.equals(address);
  }

  private void probed(
      Address from, MemberTable.Outcome outcome, boolean announced, List<Effect> effects) {
    if (outcome == MemberTable.Outcome.ABSURD) {
      return;
    }
    if (phase == Phase.PROBING) {
      if (outcome == MemberTable.Outcome.FIRST) { // It may not know where to find this one.
        effects.add(new Effect.Send(from, new Probe(own.in(phase), false)));
      }
    } else if (!announced || random.nextInt(table.present() + 1) < ANSWERS) {
      for (Roster welcome : rosters.welcome(own.in(phase), ranNanos)) {
        effects.add(new Effect.Send(from, welcome));
      }
    }
  }

  private void told(Address from, Roster roster, List<Effect> effects) {
    MemberTable.Outcome outcome = take(roster.sender(), from);
    if (outcome == MemberTable.Outcome.ABSURD) {
      return;
    }
    if (outcome != MemberTable.Outcome.FIRST || phase == Phase.PROBING) {
      roster.others().forEach(each -> take(each, from));
      roster.heartbeats().forEach(each -> table.take(each, ranNanos));
    } // Whoever was not known speaks for itself only: it says the rest again when it is a member.
    if (phase == Phase.PROBING) {
      Known sender = table.get(roster.sender().id());
      if (sender != null && sender.isPresent()) {
        activate(effects);
      }
    } else if (outcome == MemberTable.Outcome.FIRST || outcome == MemberTable.Outcome.OUTDATED) {
      effects.add(new Effect.Send(from, roster()));
    }
  }

  private MemberTable.Outcome take(MemberRecord record, Address from) {
    if (record.id() != self.id()) {
      return table.take(record, from, ranNanos);
    }
    if (own.refutes(record)) {
      nextNanos = nowNanos;
    }
    return MemberTable.Outcome.KNOWN;
  }

  // What it says.

  private void round(int told, List<Effect> effects) {
    nextNanos = nowNanos + settings.heartbeatMillis() * NANOS_PER_MILLI;
    own.beat();
    table.sweep(ranNanos, rosters.silentAfterMillis(settings) * NANOS_PER_MILLI);
    for (Known known : turns.next(told)) {
      effects.add(new Effect.Send(known.address(), roster()));
    }
    Known silent = turns.anySilent();
    if (silent != null) {
      effects.add(new Effect.Send(silent.address(), roster()));
    }
  }

  /** Looks for processes that are not members, or not any more: there may be another cluster. */
  private void reachOut(List<Effect> effects) {
    if (random.nextInt(table.present() + 1) < ANNOUNCERS) {
      effects.add(new Effect.Announce(roster()));
    }
    for (Address stranger : elsewhere.some(STRANGERS_MAX, random)) {
      effects.add(new Effect.Send(stranger, roster()));
    }
  }

  /** Asks who it is; not each of many. */
  private void ask(Address stranger, List<Effect> effects) {
    if (phase.compareTo(Phase.LEAVING) < 0 && nowNanos >= mayAskStrangerNanos) {
      mayAskStrangerNanos = nowNanos + settings.probeMillis() * NANOS_PER_MILLI;
      effects.add(new Effect.Send(stranger, new Probe(own.in(phase), false)));
    }
  }

  /** Tells many at once, so that all know soon. */
  private void host(SortedSet<Long> services, List<Effect> effects) {
    hosts.host(List.copyOf(services));
    if (phase == Phase.ACTIVE) {
      round(TOLD_ON_JOINING, effects);
    }
  }

  private void leave(List<Effect> effects) {
    if (phase != Phase.LEAVING) {
      phase = Phase.LEAVING;
      own.beat();
      nextReachOutNanos = Long.MAX_VALUE;
      sayGoodbye(effects);
    }
  }

  private void sayGoodbye(List<Effect> effects) {
    nextNanos = nowNanos + Goodbyes.EVERY_NANOS;
    if (goodbyes.say(own.in(phase), effects)) {
      phase = Phase.LEFT;
    }
  }
}
