package dev.tempest.bench.tempest;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.bench.load.ChildMain;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/** One caller of {@link Echo} that waits for each answer. */
public final class EchoClient {
  private EchoClient() {}

  /** Runs the parent's plans. Arguments: servers, multicast port, bytes, update or read. */
  public static void main(String[] args) throws IOException {
    FrontEndConfig config = TempestArguments.frontEnd(args[0], args[1]).build();
    byte[] payload = new byte[Integer.parseInt(args[2])];
    try (FrontEnd frontEnd = FrontEnd.connect(config)) {
      Echo echo = frontEnd.service(Echo.class);
      UnaryOperator<byte[]> request = args[3].equals("update") ? echo::ping : echo::peek;
      ChildMain.serve(plan -> run(plan, payload, request));
    }
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
    return new Sample(
        interactionNanos,
        sentNanos - startNanos,
        interactionNanos.getTotalCount(),
        Sample.NOT_COUNTED,
        0);
  }
}
