package dev.tempest.sessions.tomcat;

import dev.tempest.MissingAcksException;
import dev.tempest.Node;
import dev.tempest.OverloadedException;
import dev.tempest.Registration;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.sessions.AttributeCodec;
import dev.tempest.sessions.SaveMode;
import dev.tempest.sessions.SessionCounts;
import dev.tempest.sessions.SessionEnd;
import dev.tempest.sessions.SessionLimitException;
import dev.tempest.sessions.SessionListener;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Session;
import org.apache.catalina.Valve;
import org.apache.catalina.session.ManagerBase;
import org.apache.catalina.session.TooManyActiveSessionsException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the sessions of a web application in the collections of a node, which all Tomcats share.
 * One line in {@code context.xml} is all:
 *
 * <pre>{@code
 * <Manager className="dev.tempest.sessions.tomcat.TempestManager" config="conf/tempest.yaml"/>
 * }</pre>
 *
 * <p>What a request sets is written at once, attribute by attribute. A client that goes to another
 * Tomcat finds there what it has seen here, whether or not a balancer binds it to one of them.
 * Sessions outlive the application, and Tomcat, as long as one process of the cluster runs. They
 * end after what {@code session-timeout} in {@code web.xml} says. What tells of the node is the
 * attribute {@code dev.tempest.admin.NodeMonitor} of the application's servlet context.
 *
 * <p>Thread-safe, once it has been configured.
 */
public final class TempestManager extends ManagerBase {
  private final @Nullable Node handedOver;
  private final Valve valve = new SessionValve(this);
  private final SessionListener ends = new Ends();
  private final SessionFailures failures = new SessionFailures();

  /** Those that this Tomcat has been asked for; Tomcat has them by their ids, too. */
  private final Map<UUID, TempestSession> known = new ConcurrentHashMap<>();

  /** Sessions that end because too few processes have them: no listener knows them. */
  private final Set<UUID> untold = ConcurrentHashMap.newKeySet();

  private String config = "";
  private String saveMode = SaveMode.ON_SET.name();
  private int acks = 1;
  private int touchEverySeconds = 1;
  private int seenWithinMillis = 1_000;
  private int attributesMax = 1_000;
  private int attributeMaxBytes = 1 << 20;
  private int sessionMaxBytes = 4 << 20;

  private @Nullable SessionsConfig settings;
  private @Nullable Sessions shared;
  private @Nullable Registration listening;

  /** For {@code context.xml}: its node is one that all applications of the Tomcat share. */
  public TempestManager() {
    handedOver = null;
  }

  /**
   * For an embedded Tomcat.
   *
   * @param node whoever has joined closes it, once the Tomcat has stopped
   */
  public TempestManager(Node node) {
    handedOver = Objects.requireNonNull(node);
  }

  /**
   * The file that describes the cluster: a path, or one relative to {@code CATALINA_BASE}. Default:
   * what {@code TEMPEST_} variables say, or {@code tempest.yaml} in the working directory.
   */
  public void setConfig(String file) {
    config = file;
  }

  /** As {@link #setConfig} says; empty by default. */
  public String getConfig() {
    return config;
  }

  /** The name of a {@link SaveMode}: {@code ON_SET}, the default, {@code ON_GET} or ALWAYS. */
  public void setSaveMode(String mode) {
    saveMode = mode;
  }

  /** As {@link #setSaveMode} says. */
  public String getSaveMode() {
    return saveMode;
  }

  /** How many processes have a write before it returns: {@link SessionsConfig.Builder#acks}. */
  public void setAcks(int processes) {
    acks = processes;
  }

  /** As {@link #setAcks} says. */
  public int getAcks() {
    return acks;
  }

  /** How exact the time of the last request is: {@link SessionsConfig.Builder#touchEvery}. */
  public void setTouchEverySeconds(int seconds) {
    touchEverySeconds = seconds;
  }

  /** As {@link #setTouchEverySeconds} says. */
  public int getTouchEverySeconds() {
    return touchEverySeconds;
  }

  /** How long a request waits for what its client has seen elsewhere, before it gets a 503. */
  public void setSeenWithinMillis(int millis) {
    seenWithinMillis = millis;
  }

  /** As {@link #setSeenWithinMillis} says. */
  public int getSeenWithinMillis() {
    return seenWithinMillis;
  }

  /** The most attributes of a session, up to 10,000; default: 1,000. */
  public void setAttributesMax(int count) {
    attributesMax = count;
  }

  /** As {@link #setAttributesMax} says. */
  public int getAttributesMax() {
    return attributesMax;
  }

  /** The most bytes of an attribute, up to 12 MiB; default: 1 MiB. */
  public void setAttributeMaxBytes(int bytes) {
    attributeMaxBytes = bytes;
  }

  /** As {@link #setAttributeMaxBytes} says. */
  public int getAttributeMaxBytes() {
    return attributeMaxBytes;
  }

  /** The most bytes of all attributes of a session with names, up to 12 MiB; default: 4 MiB. */
  public void setSessionMaxBytes(int bytes) {
    sessionMaxBytes = bytes;
  }

  /** As {@link #setSessionMaxBytes} says. */
  public int getSessionMaxBytes() {
    return sessionMaxBytes;
  }

  /** What has happened in this Tomcat. */
  public SessionCounts counts() {
    return shared().counts();
  }

  /** How many sessions the cluster has. {@link #getActiveSessions} are those known here. */
  public int clusterSessions() {
    return shared().size();
  }

  Sessions shared() {
    return Objects.requireNonNull(shared, "the manager has not been started");
  }

  private SessionsConfig settings() {
    return Objects.requireNonNull(settings, "the manager has not been started");
  }

  SessionFailures failures() {
    return failures;
  }

  boolean savesOnlyWhatIsSet() {
    return settings().saveMode() == SaveMode.ON_SET;
  }

  @Override
  public void setContext(Context context) {
    super.setContext(context);
    context.getPipeline().addValve(valve); // Before that of a login, which already has a session.
  }

  @Override
  protected void startInternal() throws LifecycleException {
    super.startInternal();
    Thread thread = Thread.currentThread();
    ClassLoader ofApplication = thread.getContextClassLoader();
    NodeMonitor monitor;
    // Threads that begin now outlive the application.
    thread.setContextClassLoader(TempestManager.class.getClassLoader());
    try {
      settings = configured();
      Node node = node();
      monitor = node.monitor();
      shared = Sessions.of(node, settings);
      listening = shared.listen(ends);
    } catch (RuntimeException failed) {
      throw new LifecycleException(
          "The sessions of %s cannot be shared: %s"
              .formatted(nameOfApplication(), failed.getMessage()),
          failed);
    } finally {
      thread.setContextClassLoader(ofApplication);
    }
    getContext().getServletContext().setAttribute(NodeMonitor.class.getName(), monitor);
    setState(LifecycleState.STARTING);
  }

  private String nameOfApplication() {
    String name = getContext().getName();
    return name.isEmpty() ? "ROOT" : name;
  }

  private Node node() {
    return handedOver == null
        ? ServerNodes.join(getEngine().getService().getServer(), config)
        : handedOver;
  }

  private SessionsConfig configured() {
    Context context = getContext();
    SessionsConfig.Builder builder =
        SessionsConfig.builder()
            .name(SessionsName.of(context.getParent().getName(), context.getPath()))
            .maxInactive(Duration.ofMinutes(Math.max(context.getSessionTimeout(), 0)))
            .codec(AttributeCodec.javaSerialization(context.getLoader().getClassLoader()))
            .saveMode(parsedSaveMode())
            .acks(acks)
            .touchEvery(Duration.ofSeconds(touchEverySeconds))
            .seenWithin(Duration.ofMillis(seenWithinMillis))
            .attributesMax(attributesMax)
            .attributeMaxBytes(attributeMaxBytes)
            .sessionMaxBytes(sessionMaxBytes);
    if (maxActiveSessions >= 0) {
      builder.sessionsMax(maxActiveSessions);
    }
    return builder.build();
  }

  private SaveMode parsedSaveMode() {
    return Arrays.stream(SaveMode.values())
        .filter(each -> each.name().equals(saveMode.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "saveMode is one of %s, not '%s'"
                    .formatted(Arrays.toString(SaveMode.values()), saveMode)));
  }

  @Override
  protected void stopInternal() throws LifecycleException {
    setState(LifecycleState.STOPPING);
    if (listening != null) {
      listening.close();
    }
    if (shared != null) {
      shared.close();
    }
    known.clear();
    sessions.clear();
    super.stopInternal();
  }

  @Override
  protected void destroyInternal() throws LifecycleException {
    getContext().getPipeline().removeValve(valve);
    super.destroyInternal();
  }

  /** Does nothing: sessions come from the cluster one by one, when they are asked for. */
  @Override
  public void load() {
    // As said.
  }

  /** Does nothing: the cluster has the sessions already. */
  @Override
  public void unload() {
    // As said.
  }

  /** Drops what has ended elsewhere. Whether a session has expired the cluster decides. */
  @Override
  public void processExpires() {
    Sessions open = shared();
    known.forEach((key, session) -> {
      if (session.isIdle() && !open.contains(key)) {
        session.endedElsewhere();
      }
    });
    sessions.forEach((id, session) -> { // A request may have found one that another one was ending.
      if (known.get(((TempestSession) session).view().key()) != session
          || !id.equals(session.getIdInternal())) {
        sessions.remove(id, session);
      }
    });
  }

  /**
   * {@inheritDoc} An id that a client brings is taken only where Tomcat has seen to it that another
   * application of the host gave it: else who knows it could share a session with its victim.
   */
  @Override
  public Session createSession(@Nullable String sessionId) {
    dev.tempest.sessions.Session view = created(sessionId);
    try {
      failures.noting(view::save);
    } catch (SessionLimitException tooMany) {
      rejectedSessions++;
      throw new TooManyActiveSessionsException(tooMany.getMessage(), maxActiveSessions);
    } catch (MissingAcksException unconfirmed) {
      endUntold(view, unconfirmed);
      throw unconfirmed;
    }
    TempestSession session = new TempestSession(this, view, withRoute(view.id()));
    session.setNew(true);
    known.put(view.key(), session);
    add(session);
    session.tellNew();
    return session;
  }

  private dev.tempest.sessions.Session created(@Nullable String id) {
    Sessions open = shared();
    if (id != null && getContext().getValidateClientProvidedNewSessionId()) {
      try {
        return open.create(withoutRoute(id));
      } catch (IllegalArgumentException ofAnotherManager) {
        return open.create();
      }
    }
    return open.create();
  }

  /** Its client will not learn its id. */
  private void endUntold(dev.tempest.sessions.Session view, MissingAcksException unconfirmed) {
    untold.add(view.key());
    try {
      view.invalidate();
    } catch (MissingAcksException | OverloadedException alsoUnconfirmed) {
      unconfirmed.addSuppressed(alsoUnconfirmed);
    } finally {
      untold.remove(view.key());
    }
  }

  @Override
  public @Nullable Session findSession(@Nullable String id) {
    if (id == null) {
      return null;
    }
    Optional<TempestSession> found =
        failures.noting(() -> shared().find(withoutRoute(id)).map(this::known));
    return found.orElse(null);
  }

  private TempestSession known(dev.tempest.sessions.Session view) {
    String id = withRoute(view.id());
    TempestSession session =
        known.compute(
            view.key(),
            (key, before) ->
                before != null && before.isValid() ? before : new TempestSession(this, view, id));
    session.found(view);
    if (!id.equals(session.getIdInternal())) { // It got another one elsewhere.
      session.setId(id, false);
    } else if (!sessions.containsKey(id)) {
      add(session);
    }
    return session;
  }

  /** It has ended elsewhere. */
  void forget(TempestSession session) {
    session.setValid(false);
    known.remove(session.view().key(), session);
    remove(session);
  }

  /** {@inheritDoc} One that gets another id goes from here, too, and comes back. */
  @Override
  public void remove(Session session, boolean hasEnded) {
    if (hasEnded) {
      known.remove(((TempestSession) session).view().key(), session);
    }
    super.remove(session, hasEnded);
  }

  /** {@inheritDoc} A value that is put by now has been told. */
  @Override
  public boolean getNotifyBindingListenerOnUnchangedValue() {
    return super.getNotifyBindingListenerOnUnchangedValue() && !ReplicatedAttributes.isPut();
  }

  @Override
  public String rotateSessionId(Session session) {
    TempestSession rotated = (TempestSession) session;
    String id = withRoute(rotated.changeId());
    changeSessionId(session, id, true, true);
    return id;
  }

  /** Not supported: ids that somebody chooses may be guessed, or be taken. */
  @Override
  public void changeSessionId(Session session, String newId) {
    throw new UnsupportedOperationException("sessions get new ids by rotateSessionId");
  }

  @Override
  protected String generateSessionId() {
    throw new UnsupportedOperationException("Tempest makes the ids of its sessions");
  }

  private static String withoutRoute(String id) {
    int dot = id.indexOf('.');
    return dot < 0 ? id : id.substring(0, dot);
  }

  private String withRoute(String id) {
    String route = getJvmRoute();
    return route == null ? id : id + "." + route;
  }

  /** Of sessions that were created, Tomcat tells itself. */
  private final class Ends implements SessionListener {
    @Override
    public void created(dev.tempest.sessions.Session session) {
      // In createSession, with the session that requests get.
    }

    @Override
    public void ended(dev.tempest.sessions.Session view, SessionEnd why) {
      if (untold.contains(view.key())) {
        return;
      }
      TempestSession session = known.get(view.key());
      if (session == null || !session.claimEnd()) {
        session = new TempestSession(TempestManager.this, view, withRoute(view.id()));
      }
      session.end(view);
    }
  }
}
