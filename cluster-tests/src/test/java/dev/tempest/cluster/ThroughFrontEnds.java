package dev.tempest.cluster;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.UnableException;
import dev.tempest.UnknownOutcomeException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Services that each client reaches through a front-end of its own.
 *
 * @param servers which it asks
 */
record ThroughFrontEnds(List<String> servers) implements Workload.Services {
  @Override
  public <S> Workload.Access<S> access(String name, Class<S> api) {
    FrontEnd frontEnd =
        FrontEnd.connect(FrontEndConfig.builder(servers).deadline(DEADLINE).build());
    return new Through<>(frontEnd, frontEnd.service(name, api));
  }

  private record Through<S>(FrontEnd frontEnd, S service) implements Workload.Access<S> {
    @Override
    public <R> Outcome<R> outcome(Function<S, @Nullable R> call) {
      return frontEnd.outcome(service, call);
    }

    @Override
    public <R> Outcome<R> transaction(Function<S, R> calls) {
      try {
        return new Outcome.Ok<>(frontEnd.transaction(service, calls::apply));
      } catch (UnableException notWritten) {
        return new Outcome.Unable<>(notWritten.reason(), String.valueOf(notWritten));
      } catch (UnknownOutcomeException maybeWritten) {
        return new Outcome.Unknown<>(String.valueOf(maybeWritten));
      }
    }
  }
}
