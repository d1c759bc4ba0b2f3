package dev.tempest.bench;

import dev.tempest.FrontEnd;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/** One caller of {@link Echo} that waits for each answer. */
final class EchoClient implements Program.Answers<LoadPlan, Point> {
  private final byte[] payload;
  private final UnaryOperator<byte[]> request;

  EchoClient(TempestAddress address, int payloadBytes, boolean updates) {
    Echo echo = FrontEnd.connect(address.frontEnd().build()).service(Echo.class);
    this.payload = new byte[payloadBytes];
    this.request = updates ? echo::ping : echo::peek;
  }

  @Override
  public Point answer(LoadPlan plan) {
    Histogram interactionNanos = new Histogram(Point.SIGNIFICANT_DIGITS);
    long startNanos = System.nanoTime();
    long endNanos = startNanos + plan.measuredMillis() * 1_000_000L;
    long sentNanos = startNanos;
    while (sentNanos - endNanos < 0) {
      byte[] answer = request.apply(payload);
      long now = System.nanoTime();
      if (answer.length != payload.length) {
        throw new IllegalStateException("an echo of another length: " + answer.length);
      }
      interactionNanos.recordValue(now - sentNanos);
      sentNanos = now;
    }
    long answered = interactionNanos.getTotalCount();
    return plan.result(interactionNanos, sentNanos - startNanos, answered, 0);
  }
}
