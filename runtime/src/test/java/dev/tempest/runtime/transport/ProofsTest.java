package dev.tempest.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Frame;
import dev.tempest.wire.Message.AddressChallenge;
import dev.tempest.wire.Message.AddressProof;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What an endpoint remembers of those that have not proved their addresses, and of those that have.
 */
final class ProofsTest {
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final int WAITING_MAX_BYTES = 1 << 20;

  private final Proofs proofs = new Proofs(WAITING_MAX_BYTES);
  private long nowNanos = 1_000 * MINUTE_NANOS;

  private static InetSocketAddress address(int number) throws UnknownHostException {
    byte[] host = {10, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
    return new InetSocketAddress(InetAddress.getByAddress(host), 7_400);
  }

  @Test
  void aProofHoldsForAWhileAndATokenIsGoodForNoLonger() throws UnknownHostException {
    AddressProof proof = proof(address(1));
    assertThat(proofs.isProven(address(1), nowNanos)).isFalse();
    assertThat(proofs.proved(address(1), proof, nowNanos)).isEqualTo(address(1));
    assertThat(proofs.isProven(address(1), nowNanos)).isTrue();
    assertThat(proofs.isProven(address(2), nowNanos)).isFalse();

    nowNanos += 21 * MINUTE_NANOS;
    assertThat(proofs.isProven(address(1), nowNanos)).isFalse();
    assertThat(proofs.proved(address(1), proof, nowNanos)).isNull();
  }

  /** A thousand strangers, each with a token of its own. */
  @Test
  void whoIsReachedElsewhereStaysSoWhateverOthersProveInItsName() throws UnknownHostException {
    InetSocketAddress sender = address(0);
    InetSocketAddress reached = address(1);
    proofs.proved(sender, proof(reached), nowNanos);
    assertThat(proofs.whereabouts(sender, reached, nowNanos)).isEqualTo(reached);
    for (int number = 2; number < 2_000; number++) {
      proofs.proved(sender, proof(address(number)), nowNanos);
    }
    assertThat(proofs.whereabouts(sender, reached, nowNanos)).isEqualTo(reached);
    assertThat(proofs.whereabouts(sender, sender, nowNanos)).isEqualTo(sender);
    assertThat(proofs.whereabouts(sender, null, nowNanos)).isEqualTo(sender);
    assertThat(proofs.whereabouts(address(2), reached, nowNanos)).isEqualTo(address(2));
    nowNanos += 11 * MINUTE_NANOS;
    assertThat(proofs.whereabouts(sender, reached, nowNanos)).isEqualTo(sender);
  }

  private AddressProof proof(InetSocketAddress at) {
    proofs.heard(at, 100, nowNanos);
    AddressChallenge challenge = Objects.requireNonNull(proofs.challenge(at, nowNanos));
    return new AddressProof(challenge.address(), challenge.token());
  }

  @Test
  void aFloodFromForgedAddressesFillsNothingAndHidesNobodyWhoProvesItself()
      throws UnknownHostException {
    AddressProof proof = proof(address(0));
    for (int number = 1; number < 50_000; number++) {
      InetSocketAddress from = address(number);
      proofs.heard(from, 100, nowNanos);
      proofs.keep(new Inbound(new PeerAddress(from), new Frame(1, 2, List.of()), 100), nowNanos);
      proofs.hold(from, new byte[1_400], nowNanos);
      assertThat(proofs.waitingBytes()).isBetween(0L, (long) WAITING_MAX_BYTES);
    }
    assertThat(proofs.proved(address(0), proof, nowNanos)).isEqualTo(address(0));
    for (int number = 0; number < 50_000; number++) {
      proofs.takeKept(address(number));
      proofs.release(address(number));
    }
    assertThat(proofs.waitingBytes()).isZero();
  }

  @Test
  void whatWaitsLongestUnheardMakesRoom() throws UnknownHostException {
    byte[] frame = new byte[1_000];
    assertThat(proofs.hold(address(0), frame, nowNanos)).isTrue();
    assertThat(proofs.hold(address(1), frame, nowNanos)).isTrue();
    for (int number = 2; number < WAITING_MAX_BYTES / frame.length; number++) {
      proofs.hold(address(number), frame, nowNanos);
    }
    assertThat(proofs.hold(address(0), frame, nowNanos)).isTrue();
    assertThat(proofs.hold(address(0), frame, nowNanos)).isTrue();
    assertThat(proofs.release(address(1))).isEmpty();
    assertThat(proofs.release(address(0))).hasSize(3);
  }
}
