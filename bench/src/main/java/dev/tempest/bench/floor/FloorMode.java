package dev.tempest.bench.floor;

/** How clients and servers of the floors receive and send. */
public enum FloorMode {
  /** A blocking receive, one system call a datagram: the fastest for one request at a time. */
  BLOCKING,

  /** A selector, then all that is there: the fastest for many requests of one datagram each. */
  SELECTING,

  /** As {@link #SELECTING}, and all that a wake-up brings to be sent goes into few datagrams. */
  BATCHING,

  /** One datagram each, and up to 32 of them in one system call, in either direction. */
  SYSTEM_BATCHING
}
