package dev.tempest.wire;

import java.util.List;

/**
 * What one datagram carries, or one of the pieces of a stream.
 *
 * @param cluster the stable hash of the cluster's name: frames of another cluster are dropped
 * @param sender the sending server, or the front-end incarnation
 * @param messages in the order sent
 */
public record Frame(long cluster, long sender, List<Message> messages) {}
