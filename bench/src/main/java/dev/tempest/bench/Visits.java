package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import dev.tempest.sessions.servlet.SessionCookie;
import dev.tempest.sessions.servlet.SessionFilter;
import dev.tempest.state.Counter;
import dev.tempest.state.State;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.session.data.redis.RedisSessionRepository;
import org.springframework.session.web.http.SessionRepositoryFilter;

/**
 * Counts the requests that write, behind a servlet: for all clients, or in each one's session.
 *
 * @param filter before the servlet; null where the container's own sessions do
 * @param sessions those that the filter shares; null if they are not ours
 */
record Visits(Count count, @Nullable Filter filter, @Nullable Sessions sessions) {
  private static final String ATTRIBUTE = "visits";

  /** Answers how many there were. */
  interface Count {
    long add(HttpServletRequest request);

    long check(HttpServletRequest request);
  }

  /** What they are kept in. */
  enum Kind {
    COUNTER_ALONE("counter, one Tomcat", 1),
    COUNTER("counter, Tempest service", 3),
    ALONE("session, one Tomcat", 1),
    APART("session, three Tomcats, each its own", 3),
    ASYNCHRONOUS("session, Tempest asynchronous", 3),
    LINEARIZABLE("session, Tempest linearizable", 3),
    REDIS("session, Spring Session in Redis", 3);

    /** For people. */
    final String title;

    final int servers;

    Kind(String title, int servers) {
      this.title = title;
      this.servers = servers;
    }
  }

  /**
   * Where they are kept.
   *
   * @param addresses of the nodes of all servers
   * @param index of this server
   */
  record Place(Kind kind, String cluster, List<String> addresses, int index, int redisPort)
      implements Serializable {

    /** Opens it, in the servlet's process. */
    Visits open() {
      return switch (kind) {
        case COUNTER_ALONE -> ofAll(new AtomicLong());
        case COUNTER -> ofAll(node(true));
        case ALONE, APART -> new Visits(new OfSession(), null, null);
        case ASYNCHRONOUS -> shared(node(false));
        case LINEARIZABLE -> shared(node(true));
        case REDIS -> new Visits(new OfSession(), inRedis(redisPort), null);
      };
    }

    private Node node(boolean linearizable) {
      NodeConfig.Builder config =
          NodeConfig.builder()
              .cluster(cluster)
              .listen(addresses.get(index))
              .multicastPort(0)
              .members(addresses.toArray(String[]::new));
      if (linearizable) {
        config
            .reads(Reads.LOCAL)
            .collection(
                "*", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build());
      }
      return Tempest.join(config.build());
    }
  }

  private static Visits shared(Node node) {
    Sessions sessions = Sessions.of(node, SessionsConfig.builder().build());
    return new Visits(
        new OfSession(), SessionFilter.of(sessions, SessionCookie.defaults()), sessions);
  }

  private static Filter inRedis(int port) {
    LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", port);
    connections.afterPropertiesSet();
    connections.start();
    RedisTemplate<String, Object> template = new RedisTemplate<>();
    template.setConnectionFactory(connections);
    template.setKeySerializer(RedisSerializer.string());
    template.setHashKeySerializer(RedisSerializer.string());
    template.afterPropertiesSet();
    return new SessionRepositoryFilter<>(new RedisSessionRepository(template));
  }

  private static Visits ofAll(AtomicLong counter) {
    Count count =
        new Count() {
          @Override
          public long add(HttpServletRequest request) {
            return counter.incrementAndGet();
          }

          @Override
          public long check(HttpServletRequest request) {
            return counter.get();
          }
        };
    return new Visits(count, null, null);
  }

  private static Visits ofAll(Node node) {
    node.host(
        "visits",
        Visiting.class,
        VisitingService::new,
        ServiceOptions.builder()
            .consistency(Consistency.LINEARIZABLE)
            .execute(Execute.ANY)
            .reads(Reads.LOCAL)
            .build());
    FrontEnd frontEnd = node.frontEnd();
    Visiting service = frontEnd.service("visits", Visiting.class);
    Count count =
        new Count() {
          @Override
          public long add(HttpServletRequest request) {
            return service.add();
          }

          @Override
          public long check(HttpServletRequest request) {
            return service.check();
          }
        };
    return new Visits(count, null, null);
  }

  /** Bartoli's counter. */
  public interface Visiting {
    /** One more. */
    @Update
    long add();

    /** How many. */
    @Read
    long check();
  }

  /** In replicated state. */
  public static final class VisitingService implements Visiting {
    private final Counter counter;

    /** Over a counter. */
    public VisitingService(State state) {
      counter = state.counter("visits");
    }

    @Override
    public long add() {
      counter.add(1);
      return counter.get();
    }

    @Override
    public long check() {
      return counter.get();
    }
  }

  private static final class OfSession implements Count {
    @Override
    public long add(HttpServletRequest request) {
      long count = check(request) + 1;
      request.getSession().setAttribute(ATTRIBUTE, count);
      return count;
    }

    @Override
    public long check(HttpServletRequest request) {
      Object count = request.getSession().getAttribute(ATTRIBUTE);
      return count == null ? 0 : (Long) count;
    }
  }

  /** Writes a session's attribute as a request does, so that each step can be timed. */
  static void write(Session session) {
    Object count = session.get(ATTRIBUTE);
    session.set(ATTRIBUTE, count == null ? 1L : (Long) count + 1);
    session.save();
  }
}
