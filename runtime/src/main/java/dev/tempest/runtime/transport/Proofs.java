package dev.tempest.runtime.transport;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Message.AddressChallenge;
import dev.tempest.wire.Message.AddressProof;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who is where it says. Anybody can send a datagram in the name of somebody else, who then gets the
 * answer: so an address from which nobody has proved to receive what is sent there gets at most
 * three times as much as came from it. Whatever is more waits, and a challenge goes in its place;
 * whoever is there returns the token of the challenge, and is sent the rest. One that has not been
 * heard gets small frames only, until then.
 *
 * <p>A process may send from another address than the one at which it is reached, as behind a
 * translated port, or with several networks. So whoever returns the token of an address is the one
 * that is reached there, wherever it sends from; but only what says of itself that it comes from
 * there does, for somebody else may have returned that token in the name of this sender.
 *
 * <p>What it remembers is bounded; who is forgotten proves its address again. Not thread-safe.
 */
final class Proofs {
  /** What an answer to a forged address costs its owner, measured by what it cost the forger. */
  private static final int FACTOR = 3;

  /** Then an address may be somebody else's. */
  private static final long VALID_NANOS = 600_000_000_000L;

  /** A challenge may get lost. */
  private static final long CHALLENGE_AGAIN_NANOS = 20_000_000;

  private static final int CHALLENGE_BYTES_MAX = 64;

  /** Whoever begins says who it is, and asks who is there. */
  private static final int BEGINNING_BYTES_MAX = 192;

  private static final int PROVEN_MAX = 1 << 14;
  private static final int UNPROVEN_MAX = 1 << 12;

  /** Of one address; more come only from those that talk and do not listen. */
  private static final int WAITING_FRAMES_MAX = 32;

  /** More than a member says in one frame. */
  private static final int KEPT_BYTES_MAX = 1_500;

  /** In memory a frame takes about so many times its bytes. */
  private static final long DECODED_FACTOR = 16;

  private static final int SECRET_BYTES = 16;

  /**
   * One that has proved its address.
   *
   * @param sender from where its token came back; what it sends comes from there, too
   */
  private record Proven(long sinceNanos, InetSocketAddress sender) {
    boolean isValid(long nowNanos) {
      return nowNanos - sinceNanos < VALID_NANOS;
    }
  }

  /** One that has not proved its address. */
  private static final class Unproven {
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private @Nullable Inbound kept;

    /** Whether this process spoke first. */
    private boolean isAsked;

    private long mayGetBytes;
    private long challengeNanos;
  }

  private final byte[] secret = new byte[SECRET_BYTES];
  private final MessageDigest digest;
  private final long waitingBytesMax;
  private final Map<InetSocketAddress, Proven> proven = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<InetSocketAddress, Unproven> unproven = new LinkedHashMap<>(16, 0.75f, true);

  /** For whom something waits, the latest last. A flood makes many for whom nothing does. */
  private final Set<Unproven> awaited = new LinkedHashSet<>();

  private long waitingBytes;

  /** At most so many bytes wait for proofs. */
  Proofs(long waitingBytesMax) {
    this.waitingBytesMax = waitingBytesMax;
    new SecureRandom().nextBytes(secret);
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every Java has SHA-256", impossible);
    }
  }

  /**
   * Where somebody is reached that says where: there, if it has proved that, or else where it sends
   * from. Only whoever gets what is sent to an address can return its token, so nobody else makes
   * others take a sender for the one at that address.
   */
  InetSocketAddress whereabouts(
      InetSocketAddress from, @Nullable InetSocketAddress claimed, long nowNanos) {
    if (claimed == null) {
      return from;
    }
    Proven proof = proven.get(claimed);
    boolean isItself = proof != null && proof.isValid(nowNanos) && proof.sender().equals(from);
    return isItself ? claimed : from;
  }

  /** Something of that size came from one that is reached there. */
  void heard(InetSocketAddress from, int sizeBytes, long nowNanos) {
    if (!isProven(from, nowNanos)) {
      unproven(from, nowNanos).mayGetBytes += (long) FACTOR * sizeBytes;
    }
  }

  boolean isProven(InetSocketAddress address, long nowNanos) {
    Proven proof = proven.get(address);
    return proof != null && proof.isValid(nowNanos);
  }

  /** Where those send from, as far as it is known, who are reached at these addresses. */
  Set<InetSocketAddress> sendersOf(Collection<InetSocketAddress> addresses) {
    Set<InetSocketAddress> senders = new LinkedHashSet<>(addresses);
    for (InetSocketAddress address : addresses) {
      Proven proof = proven.get(address);
      if (proof != null) {
        senders.add(proof.sender());
      }
    }
    return Collections.unmodifiableSet(senders);
  }

  /** Whether this process spoke first to somebody there, who has not proved its address. */
  boolean isAsked(InetSocketAddress address, long nowNanos) {
    return unproven(address, nowNanos).isAsked;
  }

  /** Whether one that has not proved its address may get so much nevertheless; then it has. */
  boolean admits(InetSocketAddress to, int sizeBytes, long nowNanos) {
    boolean isFirst = !unproven.containsKey(to);
    Unproven peer = unproven(to, nowNanos);
    peer.isAsked |= isFirst;
    if (sizeBytes <= peer.mayGetBytes) {
      peer.mayGetBytes -= sizeBytes;
      return true;
    }
    return peer.isAsked && sizeBytes <= BEGINNING_BYTES_MAX;
  }

  /** Keeps the latest of what somebody says that has not proved its address. */
  void keep(Inbound said, long nowNanos) {
    if (said.sizeBytes() <= KEPT_BYTES_MAX) {
      Unproven peer = unproven(said.from().socket(), nowNanos);
      takeKept(peer);
      peer.kept = said;
      waitingBytes += DECODED_FACTOR * said.sizeBytes();
      makeRoomFor(peer);
    }
  }

  /** Takes what somebody said before it proved its address; null for nothing. */
  @Nullable Inbound takeKept(InetSocketAddress address) {
    Unproven peer = unproven.get(address);
    return peer == null ? null : takeKept(peer);
  }

  private @Nullable Inbound takeKept(Unproven peer) {
    Inbound kept = peer.kept;
    peer.kept = null;
    waitingBytes -= kept == null ? 0 : DECODED_FACTOR * kept.sizeBytes();
    if (peer.waiting.isEmpty()) {
      awaited.remove(peer);
    }
    return kept;
  }

  /** Keeps a frame until its receiver has proved its address; false if there is no room. */
  boolean hold(InetSocketAddress to, byte[] frame, long nowNanos) {
    if (frame.length > waitingBytesMax) {
      return false;
    }
    Unproven peer = unproven(to, nowNanos);
    peer.waiting.add(frame);
    waitingBytes += frame.length;
    if (peer.waiting.size() > WAITING_FRAMES_MAX) {
      waitingBytes -= peer.waiting.remove().length;
    }
    makeRoomFor(peer);
    return !peer.waiting.isEmpty();
  }

  /** What waits takes at most so much memory: what waits for others goes, longest unheard first. */
  private void makeRoomFor(Unproven latest) {
    awaited.remove(latest);
    awaited.add(latest);
    while (waitingBytes > waitingBytesMax) {
      forget(awaited.iterator().next());
    }
  }

  /** About. */
  long waitingBytes() {
    return waitingBytes;
  }

  /**
   * What to ask one that has not proved its address; null if it was asked just now, or if nothing
   * waits for it and the question would be too much as well. One to which this process spoke first
   * is asked in any case: it may answer from another address.
   */
  @Nullable AddressChallenge challenge(InetSocketAddress to, long nowNanos) {
    Unproven peer = unproven(to, nowNanos);
    if (nowNanos - peer.challengeNanos < 0
        || (!peer.isAsked && peer.waiting.isEmpty() && peer.mayGetBytes < CHALLENGE_BYTES_MAX)) {
      return null;
    }
    peer.mayGetBytes = Math.max(0, peer.mayGetBytes - CHALLENGE_BYTES_MAX);
    peer.challengeNanos = nowNanos + CHALLENGE_AGAIN_NANOS;
    Bytes address = bytes(to);
    return new AddressChallenge(address, token(address, nowNanos / VALID_NANOS));
  }

  /** Takes a token back, and returns where it was sent; null if it was not sent there lately. */
  @Nullable InetSocketAddress proved(InetSocketAddress from, AddressProof proof, long nowNanos) {
    long period = nowNanos / VALID_NANOS;
    InetSocketAddress address = address(proof.address());
    if (address == null
        || (proof.token() != token(proof.address(), period)
            && proof.token() != token(proof.address(), period - 1))) {
      return null;
    }
    put(proven, address, new Proven(nowNanos, from), PROVEN_MAX);
    return address;
  }

  /** Takes what has waited for one that has proved its address since. */
  List<byte[]> release(InetSocketAddress address) {
    Unproven peer = unproven.remove(address);
    if (peer == null) {
      return List.of();
    }
    List<byte[]> waited = List.copyOf(peer.waiting);
    forget(peer);
    return waited;
  }

  private Unproven unproven(InetSocketAddress address, long nowNanos) {
    Unproven peer = unproven.get(address);
    if (peer == null) {
      peer = new Unproven();
      peer.challengeNanos = nowNanos;
      Unproven gone = put(unproven, address, peer, UNPROVEN_MAX);
      if (gone != null) {
        forget(gone);
      }
    }
    return peer;
  }

  private void forget(Unproven peer) {
    for (byte[] frame : peer.waiting) {
      waitingBytes -= frame.length;
    }
    peer.waiting.clear();
    takeKept(peer);
  }

  /** Returns the one that has gone for it. */
  private static <T> @Nullable T put(
      Map<InetSocketAddress, T> map, InetSocketAddress address, T value, int max) {
    map.put(address, value);
    if (map.size() <= max) {
      return null;
    }
    InetSocketAddress eldest = map.keySet().iterator().next();
    return map.remove(eldest);
  }

  private long token(Bytes address, long period) {
    digest.update(secret);
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(period).array());
    return ByteBuffer.wrap(digest.digest(address.toArray())).getLong();
  }

  private static Bytes bytes(InetSocketAddress address) {
    byte[] host = address.getAddress().getAddress();
    short port = (short) address.getPort();
    return Bytes.of(
        ByteBuffer.allocate(host.length + Short.BYTES).put(host).putShort(port).array());
  }

  private static @Nullable InetSocketAddress address(Bytes bytes) {
    int hostBytes = bytes.size() - Short.BYTES;
    ByteBuffer buffer = ByteBuffer.wrap(bytes.toArray());
    byte[] host = new byte[Math.max(0, hostBytes)];
    try {
      buffer.get(host);
      return new InetSocketAddress(
          InetAddress.getByAddress(host), Short.toUnsignedInt(buffer.getShort()));
    } catch (UnknownHostException | BufferUnderflowException noAddress) {
      return null;
    }
  }
}
