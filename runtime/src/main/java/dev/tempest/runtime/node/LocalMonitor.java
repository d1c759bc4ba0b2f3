package dev.tempest.runtime.node;

import static dev.tempest.wire.Message.NOT_KNOWN;

import dev.tempest.Registration;
import dev.tempest.admin.Latencies;
import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.admin.NodeVitals;
import dev.tempest.admin.NodeVitals.Measured;
import dev.tempest.protocol.membership.Members;
import dev.tempest.runtime.Stopwatch;
import dev.tempest.runtime.frontend.ToldStatus;
import dev.tempest.runtime.heap.Heap;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.ReplicaRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Tells this process how its node is. Thread-safe. */
public final class LocalMonitor implements NodeMonitor {
  /** Whoever asks whether it is alive may not hang with it. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Who holds the loop for longer will hardly return. */
  private static final Duration HANGS = Duration.ofSeconds(10);

  private final LocalNode node;
  private final Duration hangs;
  private final Host host;
  private final OnLoop onLoop;

  /** Of a node that has started, or will. */
  public LocalMonitor(LocalNode node) {
    this(node, HANGS);
  }

  /** With another limit. */
  LocalMonitor(LocalNode node, Duration hangs) {
    this.node = node;
    this.hangs = hangs;
    this.host = node.host;
    this.onLoop = host.onLoop;
  }

  @Override
  public String cluster() {
    return node.config.cluster();
  }

  @Override
  public List<String> members() {
    return host.members();
  }

  @Override
  public NodeHealth health() {
    String dead = whyNotLive();
    if (!dead.isEmpty()) {
      return new NodeHealth(false, false, List.of(dead), warnings());
    }
    List<String> reasons =
        host.isClosed()
            ? List.of("it leaves its cluster")
            : onLoop
                .askWithin(PATIENCE, this::whyNotReady)
                .orElse(List.of("its event loop has been busy for a second"));
    return new NodeHealth(true, reasons.isEmpty(), reasons, warnings());
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (!Heap.hindrance().isEmpty()) {
      warnings.add(Heap.hindrance());
    }
    List<String> silent = host.silentSeeds();
    if (!silent.isEmpty()) {
      warnings.add("it is alone in its cluster: nobody has answered from its seeds " + silent);
    }
    return warnings;
  }

  private String whyNotLive() {
    if (onLoop.hasEnded()) {
      return "its event loop has ended";
    }
    Duration busy = Duration.ofNanos(onLoop.busyNanos());
    return busy.compareTo(hangs) < 0
        ? ""
        : "its event loop has been held for %d s: the log says where".formatted(busy.toSeconds());
  }

  private List<String> whyNotReady() {
    List<String> reasons = new ArrayList<>();
    if (host.machines.members.phase() != Members.Phase.ACTIVE) {
      reasons.add("it is no member of its cluster");
    }
    for (Hosted replica : host.machines.replicas()) {
      String why = whyNotReady(replica);
      if (!why.isEmpty()) {
        reasons.add(replica.name() + " " + why);
      }
    }
    return reasons;
  }

  private static String whyNotReady(Hosted replica) {
    if (replica.isStopped()) {
      return "has stopped";
    }
    ServiceStatus status = replica.status();
    if (status.active() || status.role() == ReplicaRole.SPARE) {
      return replica.arrival().active().isDone() ? "" : "has not its state yet";
    }
    return status.lagMillis() == NOT_KNOWN ? "has not its state yet" : "is suspended";
  }

  @Override
  public Optional<NodeVitals> vitals() {
    Optional<NodeVitals> told = onLoop.askWithin(PATIENCE, this::read);
    if (told.isPresent() || !onLoop.hasEnded()) {
      return told;
    }
    try {
      return Optional.of(onLoop.ask(this::read));
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  @Override
  public Map<String, Map<String, Long>> counts() {
    return host.partCounts.all();
  }

  @Override
  public Registration tell(String part, Supplier<Map<String, Long>> counts) {
    return host.partCounts.add(part, counts);
  }

  private NodeVitals read() {
    Backlog backlog = host.machines.backlog;
    Stopwatch turns = onLoop.loop().turns();
    Map<Measured, Latencies> latencies = new EnumMap<>(Measured.class);
    latencies.put(Measured.UPDATE, backlog.updating().latencies());
    latencies.put(Measured.READ, backlog.reading().latencies());
    latencies.put(Measured.WRITE, node.state.waiting.waited().latencies());
    if (node.agreed != null) {
      latencies.put(Measured.LINEARIZABLE_WRITE, node.agreed.acting().latencies());
    }
    latencies.put(Measured.TURN, turns.latencies());
    return new NodeVitals(
        ToldStatus.node(host.machines.status(), Duration.ZERO, Duration.ZERO),
        host.traffic(),
        backlog.updatesWaiting(),
        backlog.readsWaiting(),
        Duration.ofNanos(turns.totalNanos()),
        latencies);
  }
}
