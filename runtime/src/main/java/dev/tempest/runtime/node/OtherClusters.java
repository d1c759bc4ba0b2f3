package dev.tempest.runtime.node;

import dev.tempest.config.ConfigException;
import dev.tempest.protocol.membership.Members;
import dev.tempest.runtime.transport.OtherVersions;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Versions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps a process from founding a cluster beside one of the same name that speaks only other
 * versions of the wire: it does not join. Owned by the event loop.
 */
final class OtherClusters {
  private final OtherVersions heard;
  private final Members members;
  private final CompletableFuture<Boolean> joined;

  OtherClusters(OtherVersions heard, Members members, CompletableFuture<Boolean> joined) {
    this.heard = heard;
    this.members = members;
    this.joined = joined;
  }

  /** Looks whether there is one. */
  void look(long nowNanos) {
    Map<PeerAddress, Versions> peers = heard.peers();
    if (members.phase() != Members.Phase.PROBING || peers.isEmpty()) {
      return;
    }
    members.step(new Members.Event.OtherVersion(nowNanos));
    if (members.isRefused()) {
      joined.completeExceptionally(
          new ConfigException(
              "cluster",
              OtherVersions.words(peers),
              OtherVersions.remedy(peers.values().iterator().next())));
    }
  }
}
