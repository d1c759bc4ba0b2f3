package dev.tempest.runtime.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The events. Only loaded where this Java has a recorder. */
@SuppressWarnings("UnusedVariable") // The recorder reads them.
final class Events {
  private Events() {}

  static boolean isAvailable() {
    return FlightRecorder.isAvailable();
  }

  static boolean isOn() {
    return FlightRecorder.isInitialized();
  }

  static void slowMethod(String service, String method, long tookNanos) {
    var event = new SlowMethod();
    event.service = service;
    event.method = method;
    event.took = tookNanos;
    event.commit();
  }

  static void slowRequest(String service, boolean update, long tookNanos) {
    var event = new SlowRequest();
    event.service = service;
    event.update = update;
    event.took = tookNanos;
    event.commit();
  }

  static void slowCall(String service, String method, String failure, long tookNanos) {
    var event = new SlowCall();
    event.service = service;
    event.method = method;
    event.failure = failure;
    event.took = tookNanos;
    event.commit();
  }

  static void stateTransfer(String service, String from, long updates, long tookNanos) {
    var event = new StateTransfer();
    event.service = service;
    event.from = from;
    event.updates = updates;
    event.took = tookNanos;
    event.commit();
  }

  static void leaderChange(String service, boolean leads) {
    var event = new LeaderChange();
    event.service = service;
    event.leads = leads;
    event.commit();
  }

  static void overload(long updates, long reads) {
    var event = new Overload();
    event.updates = updates;
    event.reads = reads;
    event.commit();
  }

  static void checkpoint(String service, boolean written, long tookNanos) {
    var event = new Checkpoint();
    event.service = service;
    event.written = written;
    event.took = tookNanos;
    event.commit();
  }

  @Name("dev.tempest.SlowMethod")
  @Label("Slow Method")
  @Category("Tempest")
  @Description(
      "A method of a service, a merge function or a constructor held the event loop for 50 ms or"
          + " more")
  @StackTrace(false)
  private static final class SlowMethod extends Event {
    @Label("Service")
    @Nullable String service;

    @Label("Method")
    @Nullable String method;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
  }

  @Name("dev.tempest.SlowRequest")
  @Label("Slow Request")
  @Category("Tempest")
  @Description("From the arrival of a request until it was executed here, 50 ms or more passed")
  @StackTrace(false)
  private static final class SlowRequest extends Event {
    @Label("Service")
    @Nullable String service;

    @Label("Update")
    boolean update;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
  }

  @Name("dev.tempest.SlowCall")
  @Label("Slow Call")
  @Category("Tempest")
  @Description("A caller of a service waited for 50 ms or more, or its call failed")
  @StackTrace(false)
  private static final class SlowCall extends Event {
    @Label("Service")
    @Nullable String service;

    @Label("Method")
    @Nullable String method;

    @Label("Failure")
    @Nullable String failure;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
  }

  @Name("dev.tempest.StateTransfer")
  @Label("State Transfer")
  @Category("Tempest")
  @Description("A replica has come to the state of the others")
  @StackTrace(false)
  private static final class StateTransfer extends Event {
    @Label("Service")
    @Nullable String service;

    @Label("From")
    @Nullable String from;

    @Label("Updates")
    long updates;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
  }

  @Name("dev.tempest.LeaderChange")
  @Label("Leader Change")
  @Category("Tempest")
  @Description("A replica began to lead, or leads no more")
  @StackTrace(false)
  private static final class LeaderChange extends Event {
    @Label("Service")
    @Nullable String service;

    @Label("Leads")
    boolean leads;
  }

  @Name("dev.tempest.Overload")
  @Label("Overload")
  @Category("Tempest")
  @Description(
      "Requests were refused, because too many were waiting, or the memory is all but full")
  @StackTrace(false)
  private static final class Overload extends Event {
    @Label("Updates")
    long updates;

    @Label("Reads")
    long reads;
  }

  @Name("dev.tempest.Checkpoint")
  @Label("Checkpoint")
  @Category("Tempest")
  @Description("A checkpoint was written, or could not be")
  @StackTrace(false)
  private static final class Checkpoint extends Event {
    @Label("Service")
    @Nullable String service;

    @Label("Written")
    boolean written;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
  }
}
