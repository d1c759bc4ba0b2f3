package dev.tempest.sessions;

import dev.tempest.MissingAcksException;
import dev.tempest.Node;
import dev.tempest.Registration;
import dev.tempest.sessions.SessionStore.Changes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a web application, which all its processes share. They are collections of its
 * node, and as consistent as {@code tempest.yaml} says for {@code sessions*}: each process reads
 * them from its own memory; a write is asynchronous, waits for {@code acks}, or counts once a
 * majority has it.
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
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{32}");
  private static final int WARNED_MAX = 1_000;
  private static final int SHOWN_MAX = 40;

  private final SessionsConfig config;
  private final AttributeCodec codec;
  private final SessionStore store;
  private final Expiry expiry;
  private final Registration counted;
  private final Seen seen;
  private final Counting counting = new Counting();
  private final List<SessionListener> listeners = new CopyOnWriteArrayList<>();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private final SecureRandom random = new SecureRandom();

  private Sessions(Node node, SessionsConfig config) {
    this.config = config;
    this.codec = new CarefulCodec(config.codec());
    this.store = new SessionStore(node, config, counting);
    this.seen = new Seen(node, config.seenWithin(), counting);
    this.expiry = new Expiry(node, config.name(), store, this::expire);
    this.counted = node.monitor().tell("sessions", counting::byKind);
  }

  /** Those that a node shares with the others of its cluster. */
  public static Sessions of(Node node, SessionsConfig config) {
    return new Sessions(node, config);
  }

  /**
   * Tells a listener of sessions that begin and end, as {@link SessionListener} says.
   *
   * @return ends the listening when it is closed
   */
  public Registration listen(SessionListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** A new session, which others see once it is saved. */
  public Session create() {
    return created(newId(), System.currentTimeMillis());
  }

  /**
   * A new session whose client has its id already, from another application of the same host.
   *
   * @throws IllegalArgumentException if no {@link Sessions} can have given it
   */
  public Session create(String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("an id has 32 letters, digits, - and _");
    }
    return created(id, System.currentTimeMillis());
  }

  /**
   * A session that has not ended.
   *
   * @param id as a client says it, which may be anything
   */
  public Optional<Session> find(String id) {
    if (!ID.matcher(id).matches()) {
      counting.malformed.increment();
      return Optional.empty();
    }
    return store.find(id).map(found -> found(found));
  }

  private Session created(String id, long nowMillis) {
    return new Session(this, UUID.randomUUID(), new Head(id, nowMillis), nowMillis, true, null);
  }

  private Session found(SessionStore.Found found) {
    return new Session(this, found.key(), found.head(), found.touchedMillis(), false, null);
  }

  /** All sessions that have this value in an index; see {@link Session#index}. */
  public List<Session> findByIndex(String index, String value) {
    List<Session> sessions = new ArrayList<>();
    for (UUID key : store.findByIndex(index, value)) {
      store.find(key).map(found -> found(found)).ifPresent(sessions::add);
    }
    return sessions;
  }

  /** Whether a session with this {@link Session#key} has not ended. */
  public boolean contains(UUID key) {
    return store.contains(key);
  }

  /** How many sessions the cluster has, those among them that expire just now. */
  public int size() {
    return store.size();
  }

  /** What has happened here so far. */
  public SessionCounts counts() {
    return counting.counts();
  }

  /**
   * What this process has seen, as a text for its client: a cookie's value. A client that takes it
   * along reads its own writes at any process.
   *
   * @param brought such texts that the client has already
   * @return empty if one of them says the same, or if it cannot be told: where this process is
   *     busy, or has seen so many unsettled writes of other processes that no cookie holds them
   */
  public String seen(Collection<String> brought) {
    return seen.token(brought);
  }

  /**
   * Waits until this process has seen what its client had seen elsewhere, for {@link
   * SessionsConfig#seenWithin} at most. A text that is older than a minute is not waited for: what
   * has not arrived by then was lost with the process that had it. Nor is what cannot be one.
   *
   * @param tokens what the client has brought, waited for at once
   * @return false if this process lags behind: another one, or this one a moment later, may answer
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean awaitSeen(Collection<String> tokens) throws InterruptedException {
    return seen.await(tokens);
  }

  /** Tells nobody any more. The sessions go on at the other processes. */
  @Override
  public void close() {
    counted.close();
    expiry.close();
    listeners.clear();
  }

  SessionsConfig config() {
    return config;
  }

  SessionStore store() {
    return store;
  }

  String newId() {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  void create(UUID key, Head head, Changes changes) {
    if (store.size() >= config.sessionsMax()) {
      throw refused(
          "there are %,d sessions, and may be no more: let them end sooner, or raise sessionsMax"
              .formatted(config.sessionsMax()));
    }
    store.create(key, head, changes);
  }

  void tellBegun(Session session) {
    counting.created.increment();
    tell(listener -> listener.created(session));
  }

  /** Whether it had neither ended nor been kept alive meanwhile. */
  boolean expire(Expiry.Gone gone) {
    return end(gone.key(), SessionEnd.EXPIRED, gone.touchedMillis());
  }

  boolean invalidate(UUID key) {
    return end(key, SessionEnd.INVALIDATED, Optional.empty());
  }

  /** Says when its latest request was, should the store not know any more. */
  private boolean end(UUID key, SessionEnd why, Optional<Long> touched) {
    Optional<SessionStore.Found> found = store.find(key);
    Head head = found.map(SessionStore.Found::head).orElseGet(() -> store.head(key));
    if (head == null) {
      return false;
    }
    long touchedMillis =
        found.map(SessionStore.Found::touchedMillis).or(() -> touched).orElse(head.createdMillis());
    Session session = new Session(this, key, head, touchedMillis, false, store.attributes(key));
    session.maxInactive(store.maxInactive(key)); // As it was: listeners may ask why it has ended.
    Optional<MissingAcksException> missing = Optional.empty();
    try {
      if (!store.end(key, why)) {
        return false;
      }
    } catch (MissingAcksException written) { // It has ended all the same.
      missing = Optional.of(written);
    }
    (why == SessionEnd.EXPIRED ? counting.expired : counting.invalidated).increment();
    tell(listener -> listener.ended(session, why));
    if (missing.isPresent()) {
      throw missing.get();
    }
    return true;
  }

  @Nullable Object decode(String name, byte[] bytes) {
    try {
      return codec.decode(bytes);
    } catch (UnreadableAttributeException unreadable) {
      counting.unreadable.increment();
      if (warned.size() < WARNED_MAX && warned.add(name)) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "The attribute {0} of a session {1}. It stays for processes that can read it. What"
                + " follows is only counted, in counts()",
            name,
            unreadable.getMessage());
      }
      return null;
    }
  }

  /**
   * A value that has just been decoded, as it looks until it changes; if nobody asks, as it was.
   */
  byte[] encodedAgain(Object decoded, byte[] bytes) {
    if (config.saveMode() != SaveMode.ON_GET || Immutables.isOne(decoded)) {
      return bytes;
    }
    try {
      return codec.encode(decoded);
    } catch (IllegalArgumentException unable) { // Whoever saves it will hear of that.
      return bytes;
    }
  }

  byte[] encode(String name, Object value) {
    byte[] bytes = codec.encode(value);
    if (bytes.length > config.attributeMaxBytes()) {
      throw refused(
          "the attribute %s takes %,d bytes, and may take %,d: keep less in the session, or raise"
                  .formatted(name, bytes.length, config.attributeMaxBytes())
              + " attributeMaxBytes, to %,d at most".formatted(SessionsConfig.BYTES_MAX));
    }
    return bytes;
  }

  /** For one more attribute, or another value of one. */
  void requireRoom(String name, int bytes, Sizes sizes) {
    if (sizes.countWith(name) > config.attributesMax()) {
      throw refused(
          "the attribute %s is one too many: a session has at most %,d; or raise attributesMax,"
                  .formatted(name, config.attributesMax())
              + " to %,d at most".formatted(SessionsConfig.ATTRIBUTES_MAX));
    }
    long sum = sizes.sumWith(name, bytes);
    if (sum > config.sessionMaxBytes()) {
      throw refused(
          "with the attribute %s the session takes %,d bytes, and may take %,d: keep less in it, or"
                  .formatted(name, sum, config.sessionMaxBytes())
              + " raise sessionMaxBytes, to %,d at most".formatted(SessionsConfig.BYTES_MAX));
    }
  }

  /** For one of an attribute. */
  void requireName(String name) {
    requireShort("the name of an attribute", name);
    if (!AttributeKey.isName(name)) {
      throw new IllegalArgumentException(
          "an attribute has a name, which does not begin with a zero character or U+FFFF");
    }
  }

  /** For names of attributes and indexes, and for values of indexes. */
  void requireShort(String what, String text) {
    if (text.length() > AttributeKey.NAME_MAX) {
      throw refused(
          "%s has at most %,d characters, not %,d: %s..."
              .formatted(what, AttributeKey.NAME_MAX, text.length(), text.substring(0, SHOWN_MAX)));
    }
  }

  /** For what one save writes. */
  void requireOneChange(String last, long bytes) {
    if (bytes > Unsaved.MAX_BYTES) {
      throw refused(
          "with the %s one request changes %,d bytes, and one save writes %,d: save before, or"
                  .formatted(last, bytes, Unsaved.MAX_BYTES)
              + " change less in one request");
    }
  }

  private SessionLimitException refused(String why) {
    counting.refused.increment();
    return new SessionLimitException(why);
  }

  private void tell(Consumer<SessionListener> news) {
    for (SessionListener each : listeners) {
      try {
        news.accept(each);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failed) {
        LOGGER.log(System.Logger.Level.WARNING, "A listener of sessions failed", failed);
      }
    }
  }
}
