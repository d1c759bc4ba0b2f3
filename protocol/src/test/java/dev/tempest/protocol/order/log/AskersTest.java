package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.wire.RequestId;
import org.junit.jupiter.api.Test;

/** Who is told the answer of an update once it is committed. */
final class AskersTest {
  private static final long LONG_NANOS = 11_000_000_000L;
  private static final RequestId FIRST = new RequestId(1, 1);
  private static final RequestId SECOND = new RequestId(1, 2);

  private record Place(int number) implements Address {}

  private final Askers askers = new Askers(65_536);

  /** Without a majority one update may be all that waits, and its client asks for long. */
  @Test
  void whoAsksAgainAfterLongWaitsAnew() {
    askers.add(FIRST, new Place(1), 0);
    askers.add(FIRST, new Place(1), LONG_NANOS);
    assertThat(askers.take(FIRST)).containsExactly(new Place(1));
    assertThat(askers.take(FIRST)).isEmpty();
  }

  @Test
  void whoHasNotAskedForLongIsForgotten() {
    askers.add(FIRST, new Place(1), 0);
    askers.add(SECOND, new Place(2), LONG_NANOS);
    assertThat(askers.take(FIRST)).isEmpty();
    assertThat(askers.take(SECOND)).containsExactly(new Place(2));
  }
}
