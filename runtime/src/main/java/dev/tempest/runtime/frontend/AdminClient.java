package dev.tempest.runtime.frontend;

import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.UnableException;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.OtherVersions;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Contents;
import dev.tempest.wire.Message.ContentsRequest;
import dev.tempest.wire.Message.Description;
import dev.tempest.wire.Message.MethodDescription;
import dev.tempest.wire.Message.Status;
import dev.tempest.wire.Versions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What tools ask of single servers, and of services known only by description. Thread-safe. */
public final class AdminClient {
  private static final Duration TOOL_PATIENCE = Duration.ofSeconds(1);

  private final FrontEndConfig config;
  private final Client client;
  private final MonotonicClock clock = MonotonicClock.ofProcess();

  AdminClient(FrontEndConfig config, Client client) {
    this.config = config;
    this.client = client;
  }

  /** Calls a method known only by its description. */
  public Outcome<Object> call(
      String service, MethodDescription method, @Nullable Object... arguments) {
    DescribedMethod described = new DescribedMethod(method);
    Call call = new Call(method.number(), described.encode(arguments));
    Submission submission =
        new Submission(
            client.id(),
            NameHash.of(service),
            method.update(),
            call,
            Client.toMachine(config.reads(service)),
            null);
    return client.request(submission, config.deadline(), described::decodeResult);
  }

  /** The methods of a service; a description without methods if no server hosts it. */
  public Description describe(String service) {
    return describe(service, patience());
  }

  /** The same by the first that hosts it, however long others are silent. */
  Description describe(String service, Duration patience) {
    CompletableFuture<Ending> hosting = new CompletableFuture<>();
    Map<String, CompletableFuture<Ending>> asked =
        askEach(
            token -> new Message.DescribeRequest(token, service),
            token -> message -> message instanceof Description d && d.token() == token,
            (server, ending) -> {
              if (hasMethods(ending)) {
                hosting.complete(ending);
              }
            },
            patience);
    var unused =
        CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
            .thenRun(() -> hosting.complete(new Ending.Silence()));
    if (join(hosting, patience) instanceof Ending.OfQuestion(Description first)) {
      return first;
    }
    Map<String, Ending> endings = joinAll(asked, patience);
    Description best = null;
    for (Ending ending : endings.values()) {
      if (ending instanceof Ending.OfQuestion(Description description)) {
        best = description;
      }
    }
    if (best == null) {
      Map<String, Versions> others = otherVersions(endings);
      throw new UnknownOutcomeException(
          others.isEmpty()
              ? "None of " + config.servers() + " replies: are they running?"
              : OtherVersions.words(others));
    }
    return best;
  }

  private static boolean hasMethods(Ending ending) {
    return ending instanceof Ending.OfQuestion(Description description)
        && !description.methods().isEmpty();
  }

  /** How each server is that answers soon. */
  public Report status() {
    long askedNanos = clock.nowNanos();
    Map<String, Long> answeredNanos = new ConcurrentHashMap<>();
    Map<String, Ending> endings =
        joinAll(
            askEach(
                Message.StatusRequest::new,
                token -> message -> message instanceof Status status && status.token() == token,
                (server, ending) -> answeredNanos.put(server, clock.nowNanos()),
                patience()),
            patience());
    Map<String, Told> all = new LinkedHashMap<>();
    endings.forEach((server, ending) -> {
      if (ending instanceof Ending.OfQuestion(Status status)) {
        all.put(server, Told.of(status, askedNanos, answeredNanos.getOrDefault(server, 0L)));
      }
    });
    return new Report(all, otherVersions(endings));
  }

  private static Map<String, Versions> otherVersions(Map<String, Ending> endings) {
    Map<String, Versions> others = new LinkedHashMap<>();
    endings.forEach((server, ending) -> {
      if (ending instanceof Ending.OtherVersions(Versions spoken)) {
        others.put(server, spoken);
      }
    });
    return others;
  }

  /**
   * What servers told of themselves, in the order of the configuration.
   *
   * @param otherVersions what those speak who do not understand this process
   */
  public record Report(Map<String, Told> told, Map<String, Versions> otherVersions) {}

  /**
   * What a server told of itself.
   *
   * @param clockOffset how far its clock is ahead of that of this process
   * @param clockError by how much that may be wrong
   */
  public record Told(Status status, Duration clockOffset, Duration clockError) {
    static Told of(Status status, long askedNanos, long answeredNanos) {
      long halfNanos = (answeredNanos - askedNanos) / 2;
      Duration offset = // A stranger may tell any time: no difference of longs.
          Duration.ofMillis(status.nowMillis()).minusNanos(askedNanos + halfNanos);
      return new Told(status, offset, Duration.ofNanos(halfNanos));
    }
  }

  /**
   * The contents of a service at one server at one moment.
   *
   * @param pieces as the state writes them
   */
  public record Read(long executed, long unsettled, List<Bytes> pieces) {}

  /** Reads the whole state of a service at one server. */
  public Read state(String service, String server) {
    if (!config.servers().contains(server)) {
      throw new IllegalArgumentException(server + " is not one of the servers " + config.servers());
    }
    long reading = ThreadLocalRandom.current().nextLong();
    List<Bytes> pieces = new ArrayList<>();
    Contents last = null;
    for (Bytes wish = Assembly.FIRST_WISH; wish != null; ) {
      last = piece(service, server, reading, wish);
      pieces.add(last.piece());
      wish = Assembly.wishAfter(last.piece());
    }
    Contents latest = Objects.requireNonNull(last);
    return new Read(latest.executed(), latest.unsettled(), List.copyOf(pieces));
  }

  private Contents piece(String service, String server, long reading, Bytes wish) {
    Ending ending =
        join(
            ask(
                server,
                token -> new ContentsRequest(token, service, reading, wish),
                token -> message -> message instanceof Contents c && c.token() == token,
                config.deadline()),
            config.deadline());
    if (ending instanceof Ending.OtherVersions(Versions spoken)) {
      throw new UnknownOutcomeException(OtherVersions.words(Map.of(server, spoken)));
    }
    if (!(ending instanceof Ending.OfQuestion(Contents contents))) {
      throw new UnknownOutcomeException(
          server + " does not reply: is it running, and does it host " + service + "?");
    }
    if (contents.piece().size() == 0) {
      throw new UnableException(Outcome.Reason.NO_STATE, server + ": " + contents.reason());
    }
    return contents;
  }

  private Duration patience() {
    return config.deadline().compareTo(TOOL_PATIENCE) < 0 ? config.deadline() : TOOL_PATIENCE;
  }

  private Map<String, CompletableFuture<Ending>> askEach(
      LongFunction<Message> question,
      LongFunction<Predicate<Message>> isAnswer,
      BiConsumer<String, Ending> ended,
      Duration patience) {
    Map<String, CompletableFuture<Ending>> asked = new LinkedHashMap<>();
    for (String server : config.servers()) {
      CompletableFuture<Ending> future = ask(server, question, isAnswer, patience);
      asked.put(
          server,
          future.thenApply(ending -> {
            ended.accept(server, ending);
            return ending;
          }));
    }
    return asked;
  }

  private static Map<String, Ending> joinAll(
      Map<String, CompletableFuture<Ending>> asked, Duration patience) {
    Map<String, Ending> endings = new LinkedHashMap<>();
    asked.forEach((server, future) -> endings.put(server, join(future, patience)));
    return endings;
  }

  private CompletableFuture<Ending> ask(
      String server,
      LongFunction<Message> question,
      LongFunction<Predicate<Message>> isAnswer,
      Duration patience) {
    CompletableFuture<Ending> future = new CompletableFuture<>();
    client.ask(server, question, isAnswer, patience, future::complete);
    return future;
  }

  private static Ending join(CompletableFuture<Ending> future, Duration patience) {
    try {
      // Longer than the question itself waits, which ends by itself unless nobody can drive.
      return future.get(2 * patience.toMillis() + 1_000, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Ending.Silence();
    } catch (TimeoutException late) {
      return new Ending.Silence();
    } catch (ExecutionException impossible) {
      throw new AssertionError("completed by value only", impossible);
    }
  }
}
