package dev.tempest.sessions.tomcat;

import dev.tempest.sessions.EncodedAttribute;
import dev.tempest.sessions.Session;
import jakarta.servlet.http.HttpSessionActivationListener;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a session, as Tomcat keeps them: read from the replicated session, and written
 * to it at once. What the filters of the manager exclude stays in this process. Has only what
 * Tomcat calls of a map.
 *
 * <p>Thread-safe. Values are encoded and decoded, and listeners told, without a lock of ours or of
 * Tomcat: they may wait for a thread that has locked a value and uses the session. So another
 * request may have a value before its listener has heard that it is here.
 */
final class ReplicatedAttributes extends AbstractMap<String, Object>
    implements ConcurrentMap<String, Object> {
  /** Begins the names of what Tomcat itself keeps in a session. */
  private static final String HIDDEN = "dev.tempest.sessions.tomcat/";

  /** What this thread has put, in place of what, and Tomcat is about to. */
  private record Put(
      ReplicatedAttributes into, String name, Object value, @Nullable Object replaced) {}

  private static final ThreadLocal<@Nullable Put> PUT = new ThreadLocal<>();

  private final TempestSession owner;

  /** Guards what follows. Not this object: Tomcat locks that while it sets an attribute. */
  private final Object lock = new Object();

  private final Map<String, Object> excluded = new HashMap<>();

  /** Those values that have been told that they are here. */
  private final Map<String, HttpSessionActivationListener> active = new HashMap<>();

  private Session view;

  ReplicatedAttributes(TempestSession owner, Session view) {
    this.owner = owner;
    this.view = view;
  }

  Session view() {
    synchronized (lock) {
      return view;
    }
  }

  /** Sees from now on what a request has found. */
  void see(Session latest, boolean isUnderWay) {
    synchronized (lock) {
      latest.reuseValuesOf(view, isUnderWay);
      view = latest;
      if (!active.isEmpty()) {
        active.keySet().retainAll(latest.names()); // Others may have been removed elsewhere.
      }
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Whether they are these attributes.
  public @Nullable Object get(Object name) {
    String text = (String) name;
    Put done = PUT.get();
    if (done != null && done.into == this && done.name.equals(text)) {
      return done.value; // Whatever others have done since.
    }
    while (true) {
      Session seen = view();
      Object value = excludedOr(text, seen);
      HttpSessionActivationListener news = null;
      synchronized (lock) {
        if (seen != view) { // What changes in place has to be in the latest.
          reuseValuesOf(seen);
          continue;
        }
        if (value instanceof HttpSessionActivationListener listener && isNew(text, listener)) {
          news = listener;
        }
      }
      if (news != null) {
        news.sessionDidActivate(owner.event());
      }
      return value;
    }
  }

  private void reuseValuesOf(Session seen) {
    owner.noting(() -> {
      view.reuseValuesOf(seen, true);
      return view;
    });
  }

  private @Nullable Object excludedOr(String name, Session seen) {
    Object here;
    synchronized (lock) {
      here = excluded.get(name);
    }
    return here != null || name.startsWith(HIDDEN) ? here : stored(seen, name);
  }

  /** With the lock, and after {@link #get} has decoded it, if that had to be. */
  private @Nullable Object peek(String name) {
    Object here = excluded.get(name);
    return here != null || name.startsWith(HIDDEN) ? here : stored(view, name);
  }

  private @Nullable Object stored(Session session, String name) {
    return owner.noting(() -> Optional.ofNullable(session.get(name))).orElse(null);
  }

  private Set<String> storedNames() {
    return owner.noting(view::names);
  }

  @SuppressWarnings("ReferenceEquality") // Whether it is the same listener.
  private boolean isNew(String name, HttpSessionActivationListener listener) {
    return !excluded.containsKey(name) && active.put(name, listener) != listener;
  }

  /**
   * Has Tomcat put what has been put, and tell of it. Tomcat locks this for that, so nothing of the
   * application runs here meanwhile.
   *
   * @param untold runs if Tomcat tells nobody what was replaced: the session has ended
   */
  @SuppressWarnings("ReferenceEquality") // Whether Tomcat has come to it.
  void whileTomcatPuts(
      String name, Object value, @Nullable Object replaced, Runnable tomcat, Runnable untold) {
    Put put = new Put(this, name, value, replaced);
    PUT.set(put);
    try {
      tomcat.run();
    } finally {
      if (PUT.get() == put) {
        PUT.remove();
        untold.run();
      }
    }
  }

  /** Whether this thread has put what Tomcat is about to put. */
  static boolean isPut() {
    return PUT.get() != null;
  }

  @Override
  public @Nullable Object put(String name, Object value) {
    Put done = PUT.get();
    if (done != null) {
      PUT.remove(); // Those that Tomcat tells may put something else.
      return done.replaced;
    }
    return store(name, value).before;
  }

  /**
   * What putting a value has done.
   *
   * @param isStored false if the session has ended before
   */
  record Stored(@Nullable Object before, boolean isStored) {}

  /** Puts it, whatever Tomcat is about to put. */
  Stored store(String name, Object value) {
    if (name.startsWith(HIDDEN)) {
      throw new IllegalArgumentException("names of attributes do not begin with " + HIDDEN);
    }
    get(name); // What is replaced is here before it is unbound.
    if (owner.isExcluded(name, value)) {
      return new Stored(exclude(name, value), true);
    }
    if (!(value instanceof HttpSessionActivationListener listener)) {
      return set(name, value);
    }
    listener.sessionWillPassivate(owner.event());
    try {
      return set(name, value);
    } finally {
      listener.sessionDidActivate(owner.event());
    }
  }

  private @Nullable Object exclude(String name, Object value) {
    synchronized (lock) {
      Object before = peek(name);
      if (excluded.put(name, value) == null && before != null) {
        active.remove(name);
        view.remove(name);
        save();
      }
      return before;
    }
  }

  private Stored set(String name, Object value) {
    while (true) {
      EncodedAttribute encoded = view().encode(name, value);
      synchronized (lock) {
        Object before = peek(name);
        if (owner.noting(() -> view.set(encoded))) {
          if (value instanceof HttpSessionActivationListener listener) {
            active.put(name, listener);
          } else {
            active.remove(name);
          }
          excluded.remove(name); // First: not all that fails to be saved has changed nothing.
          boolean isSaved = isSaved();
          owner.requireWritten(isSaved);
          return new Stored(before, isSaved);
        }
      }
    }
  }

  @Override
  public @Nullable Object remove(Object name) {
    get(name); // What is removed is here before it is unbound.
    return removeAsIs((String) name);
  }

  private @Nullable Object removeAsIs(String name) {
    synchronized (lock) {
      Object before = peek(name);
      if (excluded.remove(name) == null && isStored(name, before)) {
        active.remove(name);
        view.remove(name);
        save();
      }
      return before;
    }
  }

  /** One that cannot be read here is there as well. */
  private boolean isStored(String name, @Nullable Object value) {
    return !name.startsWith(HIDDEN) && (value != null || storedNames().contains(name));
  }

  private void save() {
    owner.requireWritten(isSaved());
  }

  private boolean isSaved() {
    return owner.noting(view::saveAsSet);
  }

  @Override
  public Set<String> keySet() {
    synchronized (lock) {
      Set<String> names = new TreeSet<>(storedNames());
      names.removeIf(name -> name.startsWith(HIDDEN));
      names.addAll(excluded.keySet());
      return names;
    }
  }

  /** What Tomcat itself keeps in the session. */
  @Nullable Object hidden(String name) {
    return stored(view(), HIDDEN + name);
  }

  /** Does nothing if it is the same. */
  void hide(String name, @Nullable Object value) {
    if (!Objects.equals(value, hidden(name))) {
      if (value == null) {
        removeHidden(HIDDEN + name);
      } else {
        set(HIDDEN + name, value);
      }
    }
  }

  private void removeHidden(String name) {
    synchronized (lock) {
      view.remove(name);
      save();
    }
  }

  /** Whether it had not ended. */
  boolean saveChangedInPlace() {
    List<HttpSessionActivationListener> listeners;
    synchronized (lock) {
      listeners = List.copyOf(active.values());
    }
    listeners.forEach(each -> each.sessionWillPassivate(owner.event()));
    try {
      synchronized (owner.getSession()) { // As applications do that change values in place.
        return view().save();
      }
    } finally {
      listeners.forEach(each -> each.sessionDidActivate(owner.event()));
    }
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    Map<String, Object> entries = new LinkedHashMap<>();
    for (String name : keySet()) {
      Object value = get(name);
      if (value != null) {
        entries.put(name, value);
      }
    }
    return entries.entrySet();
  }

  @Override
  public Object putIfAbsent(String name, Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean remove(Object name, Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean replace(String name, Object before, Object after) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object replace(String name, Object value) {
    throw new UnsupportedOperationException();
  }
}
