package dev.tempest.spring.autoconfigure;

import dev.tempest.sessions.SessionCounts;
import dev.tempest.sessions.Sessions;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToLongFunction;

/** What happens to sessions in this process, as a meter: nothing is counted for it. */
record SessionMetrics(Sessions sessions) implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    count("created", SessionCounts::created, registry);
    count("invalidated", SessionCounts::invalidated, registry);
    count("expired", SessionCounts::expired, registry);
    count("unsaved", SessionCounts::unsaved, registry);
    count("refused", SessionCounts::refused, registry);
    count("unreadable", SessionCounts::unreadable, registry);
    count("malformed", SessionCounts::malformed, registry);
    count("waited", SessionCounts::waits, registry);
    count("unseen", SessionCounts::unseen, registry);
  }

  private void count(String kind, ToLongFunction<SessionCounts> count, MeterRegistry registry) {
    FunctionCounter.builder("tempest.sessions", sessions, of -> count.applyAsLong(of.counts()))
        .tag("kind", kind)
        .description("What happened to HTTP sessions in this process")
        .register(registry);
  }
}
