package dev.tempest.runtime.transport;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The interfaces for multicast of one endpoint. A thread of its own looks after them every few
 * seconds, which takes a millisecond: one may come up, or get its address, long after the process
 * has started.
 *
 * <p>Thread-safe.
 */
final class Networks implements AutoCloseable {
  private static final Duration AGAIN = Duration.ofSeconds(5);

  /** An interface for as long as what has joined a group there has: until it is another one. */
  record Network(String name, int index, Set<InetAddress> addresses) {
    static Network of(NetworkInterface network) {
      Set<InetAddress> addresses =
          network
              .inetAddresses()
              .filter(Inet4Address.class::isInstance)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      return new Network(network.getName(), network.getIndex(), addresses);
    }
  }

  private final InetAddress bind;
  private final Runnable wakeup;
  private final Thread looking;
  private volatile List<NetworkInterface> present;
  private volatile boolean isLacking;
  private volatile boolean isDue;

  /**
   * Looks until closed.
   *
   * @param bind the address bound
   * @param present at first
   * @param wakeup called when groups are to be joined again
   */
  Networks(InetAddress bind, List<NetworkInterface> present, Runnable wakeup) {
    this.bind = bind;
    this.present = present;
    this.wakeup = wakeup;
    this.looking = Thread.ofVirtual().name("tempest-networks").start(this::look);
  }

  /** Those that are up; the same list until it changes. */
  List<NetworkInterface> present() {
    return present;
  }

  /** Whether groups are to be joined again: networks have changed, or lacked one. Says so once. */
  boolean takeDue() {
    boolean due = isDue;
    if (due) {
      isDue = false;
    }
    return due;
  }

  /** Whether there are networks on which a group could not be joined. */
  void lacking(boolean any) {
    isLacking = any;
  }

  @Override
  public void close() {
    looking.interrupt();
  }

  private void look() {
    try {
      while (true) {
        Thread.sleep(AGAIN);
        List<NetworkInterface> found = Sockets.multicastInterfaces(bind);
        boolean changed = !networks(found).equals(networks(present));
        if (changed) {
          present = found;
        }
        if (changed || isLacking) {
          isDue = true;
          wakeup.run();
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  static List<Network> networks(List<NetworkInterface> interfaces) {
    return interfaces.stream().map(Network::of).toList();
  }
}
