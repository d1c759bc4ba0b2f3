package dev.tempest.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Browsers that write and read their sessions at any {@link SessionServer}, and note what was
 * answered.
 */
final class SessionBrowsers implements Answering {
  private static final int ATTRIBUTES = 10;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final List<Browser> browsers = new ArrayList<>();
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isOver;

  /** Else a server that is killed may take along what it has shown and not answered as written. */
  private final boolean neverBack;

  private SessionBrowsers(boolean neverBack, int count) {
    this.neverBack = neverBack;
    for (int number = 0; number < count; number++) {
      Browser browser = new Browser(number);
      browsers.add(browser);
      threads.add(Thread.ofVirtual().start(browser));
    }
  }

  /**
   * Answers commands: mark, least, end.
   *
   * @param arguments a name, whether no answer may show less than one before it, how many browsers
   */
  public static void main(String[] arguments) throws Exception {
    boolean neverBack = Boolean.parseBoolean(arguments[1]);
    Answering.begin(new SessionBrowsers(neverBack, Integer.parseInt(arguments[2])));
  }

  @Override
  public String perform(String command) throws Exception {
    return switch (command) {
      case "mark" -> {
        browsers.forEach(each -> each.marked = each.answered.get());
        yield "";
      }
      case "least" ->
          String.valueOf(
              browsers.stream()
                  .mapToLong(each -> each.answered.get() - each.marked)
                  .min()
                  .orElse(0));
      case "end" -> {
        isOver = true;
        for (Thread thread : threads) {
          thread.join();
        }
        for (Browser each : browsers) {
          each.readAll();
        }
        yield "%,d writes were answered, %,d reads; %s"
            .formatted(
                browsers.stream().mapToLong(each -> each.writes.get()).sum(),
                browsers.stream().mapToLong(each -> each.answered.get() - each.writes.get()).sum(),
                wrong.isEmpty() ? "nothing wrong" : "wrong: " + wrong);
      }
      default -> throw new IllegalArgumentException(command);
    };
  }

  /** One of them, with its cookies. */
  private final class Browser implements Runnable {
    final AtomicLong answered = new AtomicLong();
    final AtomicLong writes = new AtomicLong();
    volatile long marked;

    private final int number;
    private final Random random;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final Map<String, String> cookies = new TreeMap<>();

    /** What it knows of each attribute: it has at least this number. */
    private final Map<String, Long> told = new TreeMap<>();

    private long next;

    Browser(int number) {
      this.number = number;
      this.random = new Random(number);
    }

    @Override
    public void run() {
      while (!isOver) {
        String attribute = "a" + random.nextInt(ATTRIBUTES);
        if (random.nextBoolean()) {
          write(attribute, ++next);
        } else {
          read(attribute);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    private void write(String attribute, long value) {
      if (ask("set=" + attribute + ":" + value) != null) {
        told.put(attribute, value);
        writes.incrementAndGet();
      }
    }

    private boolean read(String attribute) {
      String answer = ask("get=" + attribute);
      if (answer == null) {
        return false;
      }
      long value = answer.equals("null") ? 0 : Long.parseLong(answer);
      long before = told.getOrDefault(attribute, 0L);
      if (value < before) {
        wrong.add(
            "browser %d was told of %s=%d, and then of %d"
                .formatted(number, attribute, before, value));
      }
      if (neverBack) {
        told.put(attribute, value);
      }
      return true;
    }

    /** Once all is well. */
    void readAll() {
      for (String attribute : List.copyOf(told.keySet())) {
        while (!read(attribute)) {
          Thread.onSpinWait();
        }
      }
    }

    /** Null if it was not answered. */
    private @Nullable String ask(String query) {
      int host = 1 + random.nextInt(Blows.HOSTS.size());
      URI uri =
          URI.create(
              "http://%s%d:%d/?%s".formatted(Network.PREFIX, host, SessionServer.PORT, query));
      HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
      if (!cookies.isEmpty()) {
        List<String> pairs = new ArrayList<>();
        cookies.forEach((name, value) -> pairs.add(name + "=" + value));
        request.header("Cookie", String.join("; ", pairs));
      }
      try {
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        return heard(response, query);
      } catch (IOException unreachable) {
        return null;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return null;
      }
    }

    private @Nullable String heard(HttpResponse<String> response, String query) {
      int status = response.statusCode();
      if (status == 503 || status == 404) { // 404 is Tomcat's own, while it stops the application.
        return null;
      }
      String body = response.body();
      if (status != 200) {
        wrong.add("browser %d, %s: %d, %s".formatted(number, query, status, body));
        return null;
      }
      boolean isNew = body.startsWith("new ");
      if (isNew && !cookies.isEmpty()) {
        wrong.add("browser %d, %s: its session is gone".formatted(number, query));
      }
      for (String cookie : response.headers().allValues("Set-Cookie")) {
        String pair = cookie.split(";", 2)[0];
        int equals = pair.indexOf('=');
        cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
      answered.incrementAndGet();
      return isNew ? body.substring(4) : body;
    }
  }
}
