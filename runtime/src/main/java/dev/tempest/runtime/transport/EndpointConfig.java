package dev.tempest.runtime.transport;

import java.net.InetAddress;
import java.util.function.Predicate;

/**
 * How an endpoint is opened.
 *
 * @param bind the address to bind
 * @param port for datagrams and streams alike; 0 for one that is free
 * @param cluster the stable hash of the cluster's name
 * @param sender the id of the server or of the front-end's incarnation
 * @param dropPercent how many of 100 incoming datagrams are thrown away on purpose
 * @param dropSeed decides which
 * @param accepted from which addresses something is read; called by several threads
 * @param isAskedByAnybody whether it answers those that it has not asked itself; then they get
 *     little before they have proved their address
 */
public record EndpointConfig(
    InetAddress bind,
    int port,
    long cluster,
    long sender,
    double dropPercent,
    long dropSeed,
    Predicate<InetAddress> accepted,
    boolean isAskedByAnybody) {
  /** Of a process that asks others: reads what comes from any address. */
  public EndpointConfig(
      InetAddress bind, int port, long cluster, long sender, double dropPercent, long dropSeed) {
    this(bind, port, cluster, sender, dropPercent, dropSeed, anyone -> true, false);
  }
}
