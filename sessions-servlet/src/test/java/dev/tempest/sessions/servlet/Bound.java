package dev.tempest.sessions.servlet;

import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Is an attribute, and wants to know. */
final class Bound implements HttpSessionBindingListener, Serializable {
  /** Who is told of all of them. */
  static final ConcurrentLinkedQueue<List<String>> TOLD = new ConcurrentLinkedQueue<>();

  private static final long serialVersionUID = 1L;

  @Override
  public void valueBound(HttpSessionBindingEvent event) {
    TOLD.forEach(list -> list.add("bound"));
  }

  @Override
  public void valueUnbound(HttpSessionBindingEvent event) {
    TOLD.forEach(list -> list.add("unbound"));
  }
}
