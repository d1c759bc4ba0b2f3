package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.GroupView;
import dev.tempest.wire.LogMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a group with a primary (Zhang, chapter III): what the primary and all its backups
 * have is committed. So two replicas survive the end of one of them, where a majority takes three.
 * Who they are, a {@linkplain GroupView view} says, and a view service that view comes after view.
 *
 * <p>Whoever misses another one wants a view without it, be it right or not: a view's primary needs
 * all its members, and one of those is the next primary, who listens to the earlier one no more
 * (Lamport, Malkhi and Zhou, Vertical Paxos and primary-backup replication, PODC 2009). A new
 * replica comes into a view once it has the state.
 *
 * <p>Not thread-safe: its owner calls it from one thread at a time.
 */
public final class PrimaryBackup extends Agreement {
  /** Whoever misses nobody looks once in so many elections whether others do. */
  private static final int LOOK_ELECTIONS = 20;

  /** After so many of these whoever has not been told that a view is whole does not know it. */
  private static final int WHOLE_LOOKS = 3;

  private final int copies;
  private GroupView view = GroupView.NONE;

  /** All that seem to run. */
  private List<Long> present = List.of();

  private boolean holdsBack;

  /** Until when it leads, if it holds back and another one can. */
  private long retiresNanos;

  /** When the primary was heard. */
  private long heardNanos;

  private long steppedNanos;
  private long askNanos;
  private long lookNanos;

  /** When it next asks for a later view by which it is led, and how long it has waited for that. */
  private long catchUpNanos;

  private long catchUpPauseNanos;

  /** Whether it has asked since it has taken over. */
  private boolean hasAskedAtOnce;

  /** When the primary has said that this view has all its copies: to who is none of them. */
  private long wholeNanos = Follower.NEVER;

  /**
   * With an empty log, and a member of no view.
   *
   * @param copies so many members a view has, if there are as many replicas
   */
  public PrimaryBackup(Group group, int copies, long nowNanos) {
    super(group, new Acceptor());
    this.copies = copies;
    this.heardNanos = nowNanos;
    this.steppedNanos = nowNanos;
    this.askNanos = nowNanos;
  }

  @Override
  void runsAt(long nowNanos) {
    long awayNanos = nowNanos - steppedNanos - 2 * group.heartbeatNanos();
    if (awayNanos > 0) {
      heardNanos += awayNanos; // Nobody could be heard.
      if (leader != null) {
        leader.wasAway(awayNanos, nowNanos);
      }
    }
    steppedNanos = nowNanos;
  }

  @Override
  void change(List<Long> wanted, List<Long> gone) {
    present = wanted.stream().filter(each -> !gone.contains(each)).toList();
  }

  @Override
  void tick(long nowNanos, List<Effect> effects) {
    if (leader != null) {
      leader.tick(nowNanos, effects);
    }
    if (nowNanos >= askNanos || isToAskAtOnce()) {
      hasAskedAtOnce |= isToAskAtOnce();
      askNanos = nowNanos + group.heartbeatNanos();
      if (leader != null && leader.hasBegun()) {
        leader.speakTo(view.members().size() < copies ? present : List.of(), nowNanos);
      }
      GroupView wanted = wanted(nowNanos);
      if (!wanted.equals(view)
          || misses(nowNanos)
          || (isBehind() && nowNanos >= catchUpNanos)
          || nowNanos >= lookNanos) {
        asked(nowNanos);
        effects.add(new Effect.AskForView(wanted));
        tellSpares(nowNanos, effects);
      }
      if (view.epoch() > 0 && hasNoCopy() && wholeNanos == Follower.NEVER) {
        effects.add(new Effect.Send(view.primary(), new LogMessage.Rejected(view.ballot())));
      }
    }
  }

  /** It has taken over, and its clients wait until the view service knows that. */
  private boolean isToAskAtOnce() {
    return !hasAskedAtOnce && leader != null && !view.isComplete() && leader.isTaken();
  }

  /** While nobody knows the view by which it is led, it asks for that ever less often. */
  private void asked(long nowNanos) {
    long lookPauseNanos = LOOK_ELECTIONS * group.electionNanos();
    lookNanos = nowNanos + lookPauseNanos;
    catchUpPauseNanos =
        isBehind() ? Math.clamp(2 * catchUpPauseNanos, group.heartbeatNanos(), lookPauseNanos) : 0;
    catchUpNanos = nowNanos + catchUpPauseNanos;
  }

  /** Whether it is led by a later view than it knows, in which it may be a backup. */
  private boolean isBehind() {
    Ballot promised = acceptor.promised();
    return GroupView.isOfPrimary(promised)
        && (view.epoch() == 0 || view.ballot().isBelow(promised));
  }

  /** Whether somebody is silent that it should hear. */
  private boolean misses(long nowNanos) {
    return (leader != null || isConcerned()) && !hearsAll(nowNanos);
  }

  /** Whether it has the state, or nobody has one yet: else nobody speaks to it. */
  private boolean isConcerned() {
    long self = group.self();
    boolean isFirst = view.holders().isEmpty();
    return isFirst || view.members().contains(self) || view.holders().contains(self);
  }

  /**
   * Whoever has no copy hears that none is missing, and that there is a primary: it may be about to
   * found a group by a majority.
   */
  private void tellSpares(long nowNanos, List<Effect> effects) {
    if (isWhole(nowNanos)) {
      present.stream()
          .filter(each -> !view.members().contains(each))
          .forEach(each -> effects.add(new Effect.Send(each, new LogMessage.Rejected(ballot()))));
    }
  }

  /** Whether it leads, and all copies that there are to be are there. */
  private boolean isWhole(long nowNanos) {
    return leader != null && leader.serves() && isFull() && hearsAll(nowNanos);
  }

  private boolean isFull() {
    return view.isComplete() && view.members().size() >= copies;
  }

  /** Which view should be the latest. */
  private GroupView wanted(long nowNanos) {
    Leader leads = leader;
    if (leads == null) {
      return view.epoch() > 0 && hearsPrimary(nowNanos) ? view : withoutPrimary();
    }
    List<Long> heard = leads.heardSince(nowNanos - electionNanos());
    if (heard.size() < view.members().size()) {
      return view.next(heard);
    }
    if (!view.isComplete()) {
      return leads.isTaken() ? view.completed() : view;
    }
    return leads.serves() ? changed(leads, nowNanos) : view;
  }

  /** One step nearer to a view of all its copies: without who goes, then with who has the log. */
  private GroupView changed(Leader leads, long nowNanos) {
    List<Long> members = new ArrayList<>(view.members());
    if (members.removeIf(each -> !present.contains(each)) && !members.isEmpty()) {
      return view.next(members);
    }
    members = new ArrayList<>(view.members());
    for (long each : present) {
      if (members.size() < copies && !members.contains(each) && leads.keepsUp(each)) {
        members.add(each);
        return view.next(members);
      }
    }
    if (holdsBack && nowNanos >= retiresNanos && members.size() > 1) {
      members.remove(group.self());
      members.add(group.self());
      return view.next(members);
    }
    return view;
  }

  /**
   * The senior backup succeeds, if it has the state; else this one if it has. Where there is no
   * state yet, some begin, this one among them: others may have ended.
   */
  private GroupView withoutPrimary() {
    long self = group.self();
    if (view.holders().isEmpty()) {
      List<Long> first = present.stream().limit(copies).toList();
      return first.size() < copies || !first.contains(self) ? view : view.next(first);
    }
    if (!isConcerned() || (!present.contains(self) && hasOtherHolder())) {
      return view; // It has no state, or goes, and the others go on without it.
    }
    List<Long> rest = new ArrayList<>(view.members());
    rest.removeFirst();
    if (rest.isEmpty() || !view.mayLead(rest.getFirst())) {
      rest.remove(self);
      rest.addFirst(self);
    }
    return view.mayLead(rest.getFirst()) ? view.next(rest) : view;
  }

  private boolean hasOtherHolder() {
    return view.holders().stream().anyMatch(each -> each != group.self() && present.contains(each));
  }

  @Override
  void viewed(GroupView latest, long nowNanos, List<Effect> effects) {
    boolean isNew = latest.epoch() > view.epoch();
    if (isNew || view.mayBecome(latest)) {
      view = latest;
    }
    if (isNew) {
      enter(nowNanos);
      if (view.primary() != group.self()) { // Which may not know yet.
        effects.add(new Effect.Send(view.primary(), new LogMessage.Rejected(view.ballot())));
      }
    }
    if (leader != null && view.isComplete()) {
      leader.mayCommit();
    }
  }

  private void enter(long nowNanos) {
    heardNanos = nowNanos;
    askNanos = nowNanos;
    wholeNanos = Follower.NEVER;
    hasAskedAtOnce = false;
    Ballot ballot = view.ballot();
    if (ballot.isBelow(acceptor.promised())) {
      return; // Another view has come after that one.
    }
    leader = null;
    acceptor.promise(ballot);
    if (view.primary() == group.self()) {
      leader = new Leader(group, acceptor, view.members(), nowNanos);
      retiresNanos = nowNanos + group.heldBackNanos();
    }
  }

  @Override
  void received(long from, LogMessage.OfBallot message, long nowNanos, List<Effect> effects) {
    if (!view.mayBeFollowedBy(message.ballot())) {
      return;
    }
    switch (message) {
      case LogMessage.OfLeader said -> {
        if (follows(from, said.ballot(), effects)) {
          heardNanos = nowNanos;
          Vows.answer(group, acceptor, from, said, effects);
        }
      }
      case LogMessage.ToLeader answer -> {
        if (leader != null && leader.ballot().equals(answer.ballot())) {
          leader.received(from, answer, nowNanos, effects);
        }
      }
      case LogMessage.Rejected(var ballot) -> rejected(from, ballot, nowNanos, effects);
      case LogMessage.PreVote ofMajorities -> {}
      case LogMessage.PreVoted ofMajorities -> {}
    }
  }

  /** Another one knows of a view. If that is the latest, the primary says whether it is whole. */
  private void rejected(long from, Ballot ballot, long nowNanos, List<Effect> effects) {
    if (view.epoch() == 0 || view.ballot().isBelow(ballot)) { // The view service knows more.
      askNanos = nowNanos;
      lookNanos = nowNanos;
    } else if (!view.ballot().equals(ballot)) {
      return; // It is about to hear of this one.
    } else if (from == view.primary()) {
      wholeNanos = nowNanos;
    } else if (isWhole(nowNanos) && !view.members().contains(from)) {
      effects.add(new Effect.Send(from, new LogMessage.Rejected(ballot)));
    }
  }

  /** Whether it follows who speaks: nobody is primary but by a view. */
  private boolean follows(long from, Ballot ballot, List<Effect> effects) {
    if (ballot.isBelow(acceptor.promised())) {
      effects.add(new Effect.Send(from, new LogMessage.Rejected(acceptor.promised())));
      return false;
    }
    if (ballot.replica() != from) {
      return false;
    }
    if (!ballot.equals(acceptor.promised())) {
      acceptor.promise(ballot);
      leader = null;
      catchUpPauseNanos = 0; // That view somebody may know.
      catchUpNanos = steppedNanos;
    }
    return true;
  }

  /** The view service says who founds a group. */
  @Override
  boolean isFresh() {
    return false;
  }

  @Override
  boolean isNeeded() {
    boolean isHolder = !view.isComplete() && view.holders().contains(group.self());
    return isHolder || view.members().contains(group.self());
  }

  /** As far as it has heard of late: else it may be the one that is to have the next copy. */
  @Override
  boolean isSpare() {
    long sinceNanos = steppedNanos - WHOLE_LOOKS * LOOK_ELECTIONS * group.electionNanos();
    return isFull() && hasNoCopy() && wholeNanos > sinceNanos;
  }

  @Override
  boolean hasNoCopy() {
    return view.epoch() > 0 && !view.members().contains(group.self());
  }

  @Override
  @Nullable String why(Collection<Long> here) {
    if (view.epoch() == 0) {
      return "no majority of the members says who is primary";
    }
    boolean isAlone =
        !view.holders().isEmpty() && view.holders().stream().noneMatch(here::contains);
    return isAlone
        ? "no server that has its state is here. Only if none of those runs any more it is gone:"
            + " then end all of its servers, and start them again"
        : whyAlone();
  }

  /** It has all that was acknowledged, and may not go on. */
  private @Nullable String whyAlone() {
    boolean isAlone = leader != null && !hearsAll(steppedNanos);
    return isAlone
        ? "its backup is silent, and no majority of the members says that this primary goes on"
            + " without it. Start the others again, and do not end this one: it may have the only"
            + " copy"
        : null;
  }

  @Override
  boolean wantsMembers() {
    return true;
  }

  private boolean hearsPrimary(long nowNanos) {
    return nowNanos - heardNanos < electionNanos();
  }

  @Override
  boolean hearsAll(long nowNanos) {
    return leader == null ? hearsPrimary(nowNanos) : leader.hearsAll(nowNanos - electionNanos());
  }

  @Override
  void holdBack(boolean holds, long nowNanos) {
    holdsBack = holds;
  }

  @Override
  boolean holdsBack() {
    return holdsBack;
  }

  @Override
  long electionNanos() {
    return group.electionNanos();
  }

  @Override
  public long nextTickNanos() {
    if (isToAskAtOnce()) {
      return steppedNanos;
    }
    return leader != null ? Math.min(leader.nextTickNanos(), askNanos) : askNanos;
  }

  @Override
  public void checkInvariants() {
    super.checkInvariants();
    Invariant.check(
        leader == null || view.primary() == group.self(), "a view's primary leads by it");
  }
}
