package dev.tempest.sessions.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** A request whose session is a shared one. */
final class SessionRequest extends HttpServletRequestWrapper {
  private final RequestSession state;

  /** Whether what began to be asynchronous is what the application was given. */
  private volatile boolean isAsyncOriginal;

  SessionRequest(HttpServletRequest request, RequestSession state) {
    super(request);
    this.state = state;
  }

  @Override
  public @Nullable HttpSession getSession(boolean create) {
    return state.get(create);
  }

  @Override
  public @Nullable HttpSession getSession() {
    return getSession(true);
  }

  @Override
  public String changeSessionId() {
    return state.changeId();
  }

  @Override
  public @Nullable String getRequestedSessionId() {
    return state.requestedId().orElse(null);
  }

  @Override
  public boolean isRequestedSessionIdValid() {
    return state.isRequestedValid();
  }

  @Override
  public boolean isRequestedSessionIdFromCookie() {
    return state.requestedId().isPresent();
  }

  @Override
  public boolean isRequestedSessionIdFromURL() {
    return false;
  }

  /** {@inheritDoc} To the application these are what it was given. */
  @Override
  public AsyncContext startAsync() {
    return startAsync(this, state.response());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    isAsyncOriginal = request instanceof SessionRequest && response instanceof SavingResponse;
    return SavingAsync.begin(super.startAsync(request, response), state, isAsyncOriginal);
  }

  @Override
  public AsyncContext getAsyncContext() {
    return SavingAsync.of(super.getAsyncContext(), state, isAsyncOriginal);
  }
}
