package dev.tempest.runtime.frontend;

import dev.tempest.FrontEndConfig;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.OtherVersions;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Frame;
import dev.tempest.wire.Message;
import dev.tempest.wire.Versions;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams and streams, to servers that are listed; learns who they are from what they answer, and
 * where they are by now if they do not.
 */
final class NetworkChannel implements Channel {
  /** By then a group has had two chances, or those that it should reach are silent. */
  private static final int FAN_OUT_FROM_ATTEMPT = 2;

  /** So many servers a message names. */
  private static final int NAMED_MAX = 3;

  private final String cluster;
  private final ServerNames names;
  private final ServerView servers;
  private final Function<InetAddress, Endpoint> opening;
  private final MonotonicClock clock;
  private final MulticastReach reach = new MulticastReach();
  private volatile Endpoint endpoint;
  private boolean changed;
  private boolean heard;
  private long notUnderstood;

  /**
   * To the servers of the configuration.
   *
   * @param addresses looks up where a server is, and refuses unknown ones as illegal arguments
   * @param opening makes an endpoint on an address of this machine
   */
  NetworkChannel(
      FrontEndConfig config,
      Function<String, List<PeerAddress>> addresses,
      Function<InetAddress, Endpoint> opening,
      MonotonicClock clock) {
    this.cluster = config.cluster();
    this.names = new ServerNames(config.servers(), addresses);
    this.servers = new ServerView(config, names.lookUp(), clock.nowNanos());
    this.opening = opening;
    this.clock = clock;
    this.endpoint = opening.apply(LocalAddress.towards(servers.addresses()));
  }

  @Override
  public List<Long> replicas() {
    return servers.ids();
  }

  @Override
  public boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  @Override
  public List<Long> takeGone() {
    return servers.takeGone();
  }

  @Override
  public List<Long> takeGuesses() {
    return servers.takeGuesses();
  }

  @Override
  public void lookAgain(long nowNanos, Executor driving) {
    names.lookUpAgain(nowNanos, found -> driving.execute(() -> move(found)));
  }

  private void move(Map<String, List<PeerAddress>> found) {
    changed |= servers.move(found, clock.nowNanos());
    try {
      InetAddress local = LocalAddress.towards(servers.addresses());
      if (!local.equals(endpoint.address().socket().getAddress())) {
        Endpoint before = endpoint;
        endpoint = opening.apply(local);
        notUnderstood = 0;
        before.close();
      }
    } catch (UncheckedIOException noNetwork) {
      return; // For now; the servers are as silent as before, and soon looked for again.
    }
  }

  @Override
  public void send(long replica, Message message) {
    PeerAddress address = servers.address(replica);
    if (address != null) {
      endpoint.send(address, message);
    }
  }

  @Override
  public void send(String server, int attempt, Message message) {
    List<PeerAddress> addresses = servers.addresses(server);
    endpoint.send(addresses.get(attempt % addresses.size()), message);
  }

  @Override
  public void sendToAll(long service, Message message) {
    InetSocketAddress group = servers.group(service);
    if (message instanceof Message.Update update && update.attempt() >= FAN_OUT_FROM_ATTEMPT) {
      reach.failed(clock.nowNanos());
    }
    if (group == null || !reach.isTried(clock.nowNanos())) {
      servers.addresses().forEach(server -> endpoint.send(server, message));
    } else {
      endpoint.multicast(group, servers.sockets(), message);
    }
  }

  @Override
  public @Nullable String otherVersions() {
    Map<PeerAddress, Versions> others = endpoint.otherVersions().peers();
    return others.keySet().containsAll(servers.addresses()) ? OtherVersions.words(others) : null;
  }

  @Override
  public @Nullable String neverHeard() {
    if (heard) {
      return null;
    }
    List<String> asked = List.copyOf(servers.names());
    int more = asked.size() - NAMED_MAX;
    return "from "
        + String.join(", ", asked.subList(0, Math.min(NAMED_MAX, asked.size())))
        + (more > 0 ? " and " + more + " more" : "")
        + (asked.size() == 1 ? ". Does it run, and is its" : ". Do they run, and is their")
        + " cluster '"
        + cluster
        + "'?";
  }

  @Override
  public Map<String, Versions> takeNotUnderstood() {
    OtherVersions others = endpoint.otherVersions();
    long before = notUnderstood;
    long answered = others.answered();
    if (answered == before) {
      return Map.of();
    }
    notUnderstood = answered;
    Set<PeerAddress> peers = others.peers().keySet();
    Map<PeerAddress, Versions> latest = others.peersSince(before);
    Map<String, Versions> taken = new LinkedHashMap<>();
    for (String server : servers.names()) {
      List<PeerAddress> addresses = servers.addresses(server);
      for (PeerAddress address : addresses) {
        Versions spoken = latest.get(address);
        if (spoken != null && peers.containsAll(addresses)) {
          taken.put(server, spoken);
        }
      }
    }
    return taken;
  }

  @Override
  public void flush() {
    endpoint.flush();
  }

  @Override
  public void await(long nanos) {
    endpoint.await(nanos);
  }

  @Override
  public void wakeup() {
    endpoint.wakeup();
  }

  @Override
  public boolean isAnswering() {
    return false; // Servers do, in threads of their own.
  }

  @Override
  public int receive(int max, Receiver receiver) {
    return endpoint.receive(max, (from, frame) -> received(from, frame, receiver));
  }

  @Override
  public void close() {
    endpoint.close();
  }

  private void received(PeerAddress from, Frame frame, Receiver receiver) {
    for (Message message : frame.messages()) {
      heard = true;
      if (message instanceof Message.Reply reply && reply.update()) {
        reach.answered(clock.nowNanos());
      }
      changed |= learn(from, message);
      receiver.received(message);
    }
  }

  private boolean learn(PeerAddress from, Message message) {
    return switch (message) {
      case Message.Reply reply -> servers.learn(reply.replica(), from);
      case Message.SeenReply seen -> servers.learn(seen.reply().replica(), from);
      case Message.BeaconAnswer answer -> {
        boolean isOther = servers.learn(answer.replica(), from);
        long nowNanos = clock.nowNanos();
        yield servers.stayed(answer.replica(), from, answer.upMillis(), nowNanos) || isOther;
      }
      default -> false; // For replicas, or for tools.
    };
  }
}
