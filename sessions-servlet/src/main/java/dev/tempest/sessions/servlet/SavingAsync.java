package dev.tempest.sessions.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/**
 * A request that goes on after the filter has returned. What it has set is saved when it completes,
 * before the response goes out.
 *
 * @param completes told before the container is that it completes
 * @param hasOriginalRequestAndResponse {@inheritDoc} Not asked of the container: Tomcat asks once
 *     it has dispatched, and then refuses to say its request
 */
record SavingAsync(AsyncContext async, Runnable completes, boolean hasOriginalRequestAndResponse)
    implements AsyncContext {

  /** Begins to see to it that it is saved, also where the container ends it. */
  static SavingAsync begin(AsyncContext async, RequestSession state, boolean isOriginal) {
    async.addListener(new AtEnd(state));
    return of(async, state, isOriginal);
  }

  /** Of a request that is being asked for it. */
  static SavingAsync of(AsyncContext async, RequestSession state, boolean isOriginal) {
    return new SavingAsync(async, () -> end(state), isOriginal);
  }

  private static void end(RequestSession state) {
    try {
      state.end();
    } catch (RuntimeException failed) {
      if (!SessionFilter.refuses(state, failed)) {
        throw failed;
      }
      state.refused();
    }
  }

  @Override
  public void complete() {
    try {
      completes.run();
    } finally {
      async.complete();
    }
  }

  @Override
  public ServletRequest getRequest() {
    return async.getRequest();
  }

  @Override
  public ServletResponse getResponse() {
    return async.getResponse();
  }

  @Override
  public void dispatch() {
    async.dispatch();
  }

  @Override
  public void dispatch(String path) {
    async.dispatch(path);
  }

  @Override
  public void dispatch(ServletContext context, String path) {
    async.dispatch(context, path);
  }

  @Override
  public void start(Runnable run) {
    async.start(run);
  }

  @Override
  public void addListener(AsyncListener listener) {
    async.addListener(passing(listener));
  }

  /** A container tells of its own context, by which the answer would end without a word to us. */
  private AsyncListener passing(AsyncListener listener) {
    return new SavingListener(
        listener, own -> new SavingAsync(own, completes, hasOriginalRequestAndResponse));
  }

  @Override
  public void addListener(
      AsyncListener listener, ServletRequest request, ServletResponse response) {
    async.addListener(passing(listener), request, response);
  }

  @Override
  public <T extends AsyncListener> T createListener(Class<T> listener) throws ServletException {
    return async.createListener(listener);
  }

  @Override
  public void setTimeout(long millis) {
    async.setTimeout(millis);
  }

  @Override
  public long getTimeout() {
    return async.getTimeout();
  }

  private record AtEnd(RequestSession state) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      state.end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      // It completes, too.
    }

    @Override
    public void onError(AsyncEvent event) {
      // It completes, too.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
