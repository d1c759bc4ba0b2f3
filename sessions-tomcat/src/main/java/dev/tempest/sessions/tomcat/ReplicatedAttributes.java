package dev.tempest.sessions.tomcat;

import dev.tempest.sessions.Session;
import jakarta.servlet.http.HttpSessionActivationListener;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a session, as Tomcat keeps them: read from the replicated session, and written
 * to it at once. What the filters of the manager exclude stays in this process. Thread-safe.
 */
final class ReplicatedAttributes extends AbstractMap<String, Object>
    implements ConcurrentMap<String, Object> {
  /** Begins the names of what Tomcat itself keeps in a session. */
  private static final String HIDDEN = "dev.tempest.sessions.tomcat/";

  private final TempestSession owner;
  private final Map<String, Object> excluded = new HashMap<>();

  /** Those values that have been told that they are here. */
  private final Map<String, HttpSessionActivationListener> active = new HashMap<>();

  private Session view;

  ReplicatedAttributes(TempestSession owner, Session view) {
    this.owner = owner;
    this.view = view;
  }

  synchronized Session view() {
    return view;
  }

  /** Sees from now on what a request has found. */
  synchronized void see(Session latest, boolean isUnderWay) {
    latest.reuse(view, isUnderWay);
    view = latest;
  }

  @Override
  public synchronized @Nullable Object get(Object name) {
    String text = (String) name;
    Object here = excluded.get(text);
    return here != null || text.startsWith(HIDDEN) ? here : read(text);
  }

  @SuppressWarnings("ReferenceEquality") // Whether it is the same listener.
  private @Nullable Object read(String name) {
    Object value = view.get(name);
    if (value instanceof HttpSessionActivationListener listener
        && active.put(name, listener) != listener) {
      listener.sessionDidActivate(owner.event());
    }
    return value;
  }

  @Override
  public synchronized @Nullable Object put(String name, Object value) {
    if (name.startsWith(HIDDEN)) {
      throw new IllegalArgumentException("names of attributes do not begin with " + HIDDEN);
    }
    Object before = get(name);
    if (owner.isExcluded(name, value)) {
      if (excluded.put(name, value) == null && before != null) {
        view.remove(name);
        save();
      }
      return before;
    }
    set(name, value);
    excluded.remove(name);
    return before;
  }

  private void set(String name, Object value) {
    if (value instanceof HttpSessionActivationListener listener) {
      listener.sessionWillPassivate(owner.event());
      try {
        view.set(name, value);
      } finally {
        listener.sessionDidActivate(owner.event());
      }
      active.put(name, listener);
    } else {
      view.set(name, value);
      active.remove(name);
    }
    save();
  }

  @Override
  public synchronized @Nullable Object remove(Object name) {
    String text = (String) name;
    Object before = get(name);
    if (excluded.remove(text) == null && isStored(text, before)) {
      active.remove(text);
      view.remove(text);
      save();
    }
    return before;
  }

  /** One that cannot be read here is there as well. */
  private boolean isStored(String name, @Nullable Object value) {
    return !name.startsWith(HIDDEN) && (value != null || view.names().contains(name));
  }

  private void save() {
    owner.requireWritten(view.save());
  }

  @Override
  public synchronized Set<String> keySet() {
    Set<String> names = new TreeSet<>(view.names());
    names.removeIf(name -> name.startsWith(HIDDEN));
    names.addAll(excluded.keySet());
    return names;
  }

  /** What Tomcat itself keeps in the session. */
  synchronized @Nullable Object hidden(String name) {
    return view.get(HIDDEN + name);
  }

  /** Does nothing if it is the same. */
  synchronized void hide(String name, @Nullable Object value) {
    if (Objects.equals(value, hidden(name))) {
      return;
    }
    if (value == null) {
      view.remove(HIDDEN + name);
    } else {
      view.set(HIDDEN + name, value);
    }
    save();
  }

  /** Whether it had not ended. */
  synchronized boolean saveChangedInPlace() {
    active.values().forEach(each -> each.sessionWillPassivate(owner.event()));
    try {
      return view.save();
    } finally {
      active.values().forEach(each -> each.sessionDidActivate(owner.event()));
    }
  }

  @Override
  public synchronized Set<Entry<String, Object>> entrySet() {
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
  public synchronized @Nullable Object putIfAbsent(String name, Object value) {
    Object before = get(name);
    return before == null ? put(name, value) : before;
  }

  @Override
  public synchronized boolean remove(Object name, Object value) {
    return value.equals(get(name)) && remove(name) != null;
  }

  @Override
  public synchronized boolean replace(String name, Object before, Object after) {
    return before.equals(get(name)) && put(name, after) != null;
  }

  @Override
  public synchronized @Nullable Object replace(String name, Object value) {
    return get(name) == null ? null : put(name, value);
  }
}
