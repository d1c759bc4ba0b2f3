package dev.tempest.sessions;

import dev.tempest.Node;
import dev.tempest.Registration;
import dev.tempest.state.TimedMap;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a web application, which all processes of a cluster share. They are collections
 * of its node, and as consistent as {@code tempest.yaml} says: each process reads them from its own
 * memory; a write is asynchronous, waits for {@code acks}, or counts once a majority has it.
 *
 * <pre>{@code
 * Sessions sessions = Sessions.of(node, SessionsConfig.builder().build());
 * Session session = sessions.create();
 * session.set("user", "alice");
 * session.save();
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Sessions implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Sessions.class.getName());
  private static final int ID_BYTES = 24;

  private final Node node;
  private final SessionsConfig config;
  private final ConcurrentMap<String, Head> heads;
  private final ConcurrentNavigableMap<AttributeKey, byte[]> attributes;
  private final TimedMap<UUID, Touch> touches;
  private final List<SessionListener> listeners = new CopyOnWriteArrayList<>();
  private final SecureRandom random = new SecureRandom();
  private final Registration expiry;

  private Sessions(Node node, SessionsConfig config) {
    this.node = node;
    this.config = config;
    this.heads = node.map(config.name(), String.class, Head.class);
    this.attributes =
        node.sortedMap(config.name() + "-attributes", AttributeKey.class, byte[].class);
    this.touches = node.map(config.name() + "-touches", UUID.class, Touch.class);
    this.expiry = node.listen(touches, this::touchChanged);
  }

  /** Those that a node shares with the others of its cluster. */
  public static Sessions of(Node node, SessionsConfig config) {
    return new Sessions(node, config);
  }

  /** Tells a listener of sessions that begin and end, as {@link SessionListener} says. */
  public void listen(SessionListener listener) {
    listeners.add(listener);
  }

  /** A new session, which others see at once. */
  public Session create() {
    String id = newId();
    long now = System.currentTimeMillis();
    Head head = new Head(UUID.randomUUID(), now, config.maxInactive().toSeconds());
    write(() -> {
      heads.put(id, head);
      touch(id, head, now);
    });
    Session session = new Session(this, id, head, now, true);
    tell(listener -> listener.created(session));
    return session;
  }

  /** A session that has not ended. */
  public Optional<Session> find(String id) {
    Head head = heads.get(id);
    Touch touch = head == null ? null : touches.get(head.key());
    return head == null || touch == null
        ? Optional.empty()
        : Optional.of(new Session(this, id, head, touch.millis(), false));
  }

  private String newId() {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private void write(Runnable writes) {
    node.batch(config.acks(), writes);
  }

  private void touch(String id, Head head, long now) {
    Touch touch = new Touch(id, now);
    Duration life = head.maxInactive();
    if (life.isZero()) {
      touches.put(head.key(), touch);
    } else {
      touches.put(head.key(), touch, life);
    }
  }

  @Nullable Object read(UUID key, String name) {
    byte[] bytes = attributes.get(new AttributeKey(key, name));
    if (bytes == null) {
      return null;
    }
    try {
      return config.codec().decode(bytes);
    } catch (UnreadableAttributeException unreadable) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "The attribute {0} of a session {1}. It stays for processes that can read it",
          name,
          unreadable.getMessage());
      return null;
    }
  }

  byte[] encode(String name, Object value) {
    byte[] bytes = config.codec().encode(value);
    if (bytes.length > config.attributeMaxBytes()) {
      throw new IllegalArgumentException(
          "the attribute %s takes %,d bytes, and may take %,d: keep less in the session, or raise"
                  .formatted(name, bytes.length, config.attributeMaxBytes())
              + " attributeMaxBytes");
    }
    return bytes;
  }

  List<String> names(UUID key) {
    List<String> names = new ArrayList<>();
    for (AttributeKey each : attributes.tailMap(AttributeKey.first(key)).keySet()) {
      if (!each.session().equals(key)) {
        break;
      }
      names.add(each.name());
    }
    return names;
  }

  /** What ended meanwhile stays ended. */
  void save(String id, Head head, Map<String, Optional<byte[]>> written) {
    write(() -> {
      if (!head.equals(heads.get(id))) {
        return;
      }
      written.forEach((name, bytes) -> {
        AttributeKey key = new AttributeKey(head.key(), name);
        bytes.ifPresentOrElse(set -> attributes.put(key, set), () -> attributes.remove(key));
      });
      touch(id, head, System.currentTimeMillis());
    });
  }

  String changeId(String before, Head head) {
    String after = newId();
    write(() -> {
      if (heads.remove(before, head)) {
        heads.put(after, head);
        touch(after, head, System.currentTimeMillis());
      }
    });
    return after;
  }

  boolean end(Session session, SessionEnd why) {
    UUID key = session.key();
    String id = session.id();
    names(key).forEach(session::get); // What it had, for listeners.
    boolean[] ended = {false};
    write(() -> {
      Head head = heads.get(id);
      ended[0] = head != null && head.key().equals(key) && heads.remove(id, head);
      if (ended[0]) {
        names(key).forEach(name -> attributes.remove(new AttributeKey(key, name)));
        touches.remove(key);
      }
    });
    if (ended[0]) {
      tell(listener -> listener.ended(session, why));
    }
    return ended[0];
  }

  /** One of the processes ends what has expired. */
  private void touchChanged(UUID key, @Nullable Touch before, @Nullable Touch after) {
    if (after != null || before == null || !isChosen(key)) {
      return;
    }
    Head head = heads.get(before.id());
    if (head != null && head.key().equals(key)) {
      end(new Session(this, before.id(), head, before.millis(), false), SessionEnd.EXPIRED);
    }
  }

  /** Whether it is this process that the cluster would choose. */
  private boolean isChosen(UUID key) {
    List<String> members = node.members();
    String own = members.getFirst();
    return members.stream().allMatch(each -> weight(each, key) <= weight(own, key));
  }

  private static long weight(String member, UUID key) {
    return 31L * member.hashCode() * 0x9E3779B97F4A7C15L ^ key.hashCode() * 0xC2B2AE3D27D4EB4FL;
  }

  private void tell(Consumer<SessionListener> news) {
    for (SessionListener each : listeners) {
      try {
        news.accept(each);
      } catch (RuntimeException failed) {
        LOGGER.log(System.Logger.Level.WARNING, "A listener of sessions failed", failed);
      }
    }
  }

  /** Tells nobody any more. The sessions go on at the other processes. */
  @Override
  public void close() {
    expiry.close();
  }
}
