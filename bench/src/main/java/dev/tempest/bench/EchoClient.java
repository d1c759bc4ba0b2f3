package dev.tempest.bench;

import dev.tempest.FrontEnd;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/** One caller of {@link Echo} that waits for each answer. */
record EchoClient(TempestAddress address, int payloadBytes, boolean updates)
    implements Program<LoadPlan, Sample> {
  @Override
  public Answers<LoadPlan, Sample> start() {
    Echo echo = FrontEnd.connect(address.frontEnd().build()).service(Echo.class);
    byte[] payload = new byte[payloadBytes];
    UnaryOperator<byte[]> request = updates ? echo::ping : echo::peek;
    return plan -> run(plan, payload, request);
  }

  private static Sample run(LoadPlan plan, byte[] payload, UnaryOperator<byte[]> request) {
    Histogram interactionNanos = Sample.newHistogram();
    long startNanos = System.nanoTime();
    long endNanos = startNanos + plan.measuredMillis() * 1_000_000L;
    long sentNanos = startNanos;
    while (sentNanos - endNanos < 0) {
      byte[] answer = request.apply(payload);
      long now = System.nanoTime();
      if (answer.length != payload.length) {
        throw new IllegalStateException("an echo of another length: " + answer.length);
      }
      interactionNanos.recordValue(Math.min(now - sentNanos, Sample.MAX_NANOS));
      sentNanos = now;
    }
    long answered = interactionNanos.getTotalCount();
    return new Sample(interactionNanos, sentNanos - startNanos, answered, 0);
  }
}
