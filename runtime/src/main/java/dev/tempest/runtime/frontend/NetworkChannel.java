package dev.tempest.runtime.frontend;

import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Frame;
import dev.tempest.wire.Message;
import java.net.InetSocketAddress;
import java.util.List;

/** Datagrams and streams, to servers that are listed; learns who they are from what they answer. */
final class NetworkChannel implements Channel {
  /** By then a group has had two chances: some networks lose its datagrams without an error. */
  private static final int FAN_OUT_FROM_ATTEMPT = 2;

  private final Endpoint endpoint;
  private final ServerView servers;
  private boolean changed;

  NetworkChannel(Endpoint endpoint, ServerView servers) {
    this.endpoint = endpoint;
    this.servers = servers;
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
  public void send(long replica, Message message) {
    PeerAddress address = servers.address(replica);
    if (address != null) {
      endpoint.send(address, message);
    }
  }

  @Override
  public void send(PeerAddress server, Message message) {
    endpoint.send(server, message);
  }

  @Override
  public void sendToAll(long service, Message message) {
    InetSocketAddress group = servers.group(service);
    boolean late = message instanceof Message.Update u && u.attempt() >= FAN_OUT_FROM_ATTEMPT;
    if (group == null || late) {
      servers.addresses().forEach(server -> endpoint.send(server, message));
    } else {
      endpoint.multicast(group, servers.sockets(), message);
    }
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
      changed |= learn(from, message);
      receiver.received(message);
    }
  }

  private boolean learn(PeerAddress from, Message message) {
    return switch (message) {
      case Message.Reply reply -> servers.learn(reply.replica(), from);
      case Message.SeenReply seen -> servers.learn(seen.reply().replica(), from);
      case Message.BeaconAnswer answer -> servers.learn(answer.replica(), from);
      default -> false; // For replicas, or for tools.
    };
  }
}
