package dev.tempest.config;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How nodes host a service; the same at every node that hosts it. Immutable; {@link #builder} makes
 * one.
 *
 * <pre>{@code
 * ServiceOptions.builder().execute(Execute.ANY).build();
 * }</pre>
 */
public final class ServiceOptions {
  private static final ServiceOptions DEFAULT = builder().build();

  private final Consistency consistency;
  private final Execute execute;
  private final Reads reads;
  private final Ballots ballots;
  private final Reconcile reconcile;
  private final List<String> unchecked;

  private ServiceOptions(Builder builder) {
    this.consistency = builder.consistency;
    this.execute = builder.executeOrDefault();
    this.reads = builder.readsOrDefault();
    this.ballots = builder.ballots;
    this.reconcile = builder.reconcile;
    this.unchecked = builder.unchecked;
  }

  /** Which replicas execute an update. */
  public enum Execute {
    /** All of them: the service must be deterministic. */
    ALL,
    /** One of them, a different one for each update; the others apply what it wrote. */
    ANY,
    /** The one that leads; the others apply what it wrote. Of a linearizable service. */
    LEADER
  }

  /** What a read shows of the updates that ended before it began. */
  public enum Reads {
    /** All: a majority says how far it is. Of a linearizable service. */
    LINEARIZABLE,
    /**
     * All: the leader answers alone, as long as a majority has promised to follow nobody else; any
     * other replica asks a majority. The clocks of the machines have to run about equally fast: in
     * any 75 ms they may come apart by 25 ms. Of a linearizable service.
     */
    LEASE,
    /**
     * All: each replica answers alone, from its memory, as long as the leader lets it; else it asks
     * a majority. An update waits for all of these replicas; if one ends, for 75 ms at most. Of the
     * clocks holds what does for {@link #LEASE}. Of a linearizable service.
     */
    LOCAL,
    /**
     * All that its {@code CausalChain} has seen, if it is called with one; else as {@link #STALE}.
     */
    SESSION,
    /** What is known where it is answered: nothing is waited for, and no majority is needed. */
    STALE;

    boolean isLinearizable() {
      return this != SESSION && this != STALE;
    }
  }

  /** Who gives an update its place. */
  public enum Ballots {
    /** The replica that leads: an update takes three message delays, or four. */
    CLASSIC,
    /**
     * All replicas, each by itself, as updates come: one takes two message delays, unless another
     * one comes at the same time, or a replica is missing. Of a linearizable service that all
     * execute, with logs in memory, and reads that are linearizable, session or stale.
     */
    FAST
  }

  /** What two replicas do that have executed different updates. */
  public enum Reconcile {
    /** Both execute what the other has; no update is lost. */
    MERGE,
    /** One gives up its own updates and takes those of the other. */
    ADOPT
  }

  /**
   * What applies where nothing is said: eventual, all execute, both keep everything, all code is
   * checked.
   */
  public static ServiceOptions defaults() {
    return DEFAULT;
  }

  /** Begins with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** In which order updates count, and what reads show. */
  public Consistency consistency() {
    return consistency;
  }

  /** Whether it has to be known who all of its servers are. */
  boolean needsMembers() {
    return consistency != Consistency.EVENTUAL;
  }

  /** Which replicas execute an update. */
  public Execute execute() {
    return execute;
  }

  /** What a read shows of the updates that ended before it began. */
  public Reads reads() {
    return reads;
  }

  /** Who gives an update its place. */
  public Ballots ballots() {
    return ballots;
  }

  /** What two replicas do that have executed different updates. */
  public Reconcile reconcile() {
    return reconcile;
  }

  /**
   * Classes and packages that may use clocks and random numbers of their process, because nothing
   * of it enters the state.
   */
  public List<String> unchecked() {
    return unchecked;
  }

  @Override
  public String toString() {
    return "ServiceOptions[consistency=%s, execute=%s, reads=%s, ballots=%s, reconcile=%s, unchecked=%s]"
        .formatted(consistency, execute, reads, ballots, reconcile, unchecked);
  }

  /** Gathers options. Not thread-safe. */
  public static final class Builder {
    private Consistency consistency = Consistency.EVENTUAL;
    private @Nullable Execute execute;
    private @Nullable Reads reads;
    private Ballots ballots = Ballots.CLASSIC;
    private Reconcile reconcile = Reconcile.MERGE;
    private List<String> unchecked = List.of();

    private Builder() {}

    /** In which order updates count; default: {@link Consistency#EVENTUAL}. */
    public Builder consistency(Consistency chosen) {
      consistency = Objects.requireNonNull(chosen);
      return this;
    }

    /**
     * Which replicas execute an update; default: {@link Execute#ALL}, of a linearizable service
     * {@link Execute#LEADER}.
     */
    public Builder execute(Execute chosen) {
      execute = Objects.requireNonNull(chosen);
      return this;
    }

    /**
     * What a read shows; default: {@link Reads#LINEARIZABLE}, of an eventual service {@link
     * Reads#SESSION}, which is all that it can be.
     */
    public Builder reads(Reads chosen) {
      reads = Objects.requireNonNull(chosen);
      return this;
    }

    /** Who gives an update its place; default: {@link Ballots#CLASSIC}. */
    public Builder ballots(Ballots chosen) {
      ballots = Objects.requireNonNull(chosen);
      return this;
    }

    /**
     * What two replicas do that have executed different updates; default: {@link Reconcile#MERGE}.
     */
    public Builder reconcile(Reconcile chosen) {
      reconcile = Objects.requireNonNull(chosen);
      return this;
    }

    /**
     * Classes and packages that may use clocks and random numbers of their process, because nothing
     * of it enters the state; default: none.
     *
     * @throws IllegalArgumentException if one cannot be the name of a class or package
     */
    public Builder unchecked(String... names) {
      List<String> chosen = List.of(names);
      chosen.forEach(ServiceConfig::checkClass);
      unchecked = chosen;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException if they contradict each other
     */
    public ServiceOptions build() {
      switch (consistency) {
        case EVENTUAL -> {
          require(
              execute != Execute.LEADER,
              "an eventual service has no leader to execute it: leave execute out");
          require(
              readsOrDefault() == Reads.SESSION,
              "reads of an eventual service show what is known where they are answered, and what"
                  + " their CausalChain has seen: leave reads out");
        }
        case LINEARIZABLE, PRIMARY_BACKUP -> {
          require(
              reconcile == Reconcile.MERGE,
              "of a linearizable service its replicas never differ: leave reconcile out");
          require(
              consistency == Consistency.LINEARIZABLE
                  || (reads != Reads.LEASE && reads != Reads.LOCAL),
              "a primary has no lease, and asks its backup: leave reads out, or choose session or"
                  + " stale");
        }
      }
      requireForVotes();
      return new ServiceOptions(this);
    }

    private void requireForVotes() {
      boolean isVotedFor = ballots == Ballots.FAST;
      boolean isOfAll = consistency == Consistency.LINEARIZABLE && execute == Execute.ALL;
      require(
          !isVotedFor || isOfAll,
          "fast ballots are for a linearizable service that all servers execute: leave ballots"
              + " out");
      require(
          !isVotedFor || (reads != Reads.LEASE && reads != Reads.LOCAL),
          "ballots: fast goes without reads: lease or local: leave one of them out");
    }

    private Execute executeOrDefault() {
      Execute chosen = execute;
      if (chosen != null) {
        return chosen;
      }
      return switch (consistency) {
        case EVENTUAL -> Execute.ALL;
        case LINEARIZABLE, PRIMARY_BACKUP -> Execute.LEADER;
      };
    }

    private Reads readsOrDefault() {
      Reads chosen = reads;
      if (chosen != null) {
        return chosen;
      }
      return switch (consistency) {
        case EVENTUAL -> Reads.SESSION;
        case LINEARIZABLE, PRIMARY_BACKUP -> Reads.LINEARIZABLE;
      };
    }

    private static void require(boolean holds, String otherwise) {
      if (!holds) {
        throw new IllegalArgumentException(otherwise);
      }
    }
  }
}
