package dev.tempest.sessions.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * A listener of an application, which may end the answer that it hears of.
 *
 * @param saving makes the container's context one that tells us when it completes
 */
record SavingListener(AsyncListener listener, UnaryOperator<AsyncContext> saving)
    implements AsyncListener {

  private AsyncEvent passed(AsyncEvent event) {
    return new AsyncEvent(
        saving.apply(event.getAsyncContext()),
        event.getSuppliedRequest(),
        event.getSuppliedResponse(),
        event.getThrowable());
  }

  @Override
  public void onComplete(AsyncEvent event) throws IOException {
    listener.onComplete(passed(event));
  }

  @Override
  public void onTimeout(AsyncEvent event) throws IOException {
    listener.onTimeout(passed(event));
  }

  @Override
  public void onError(AsyncEvent event) throws IOException {
    listener.onError(passed(event));
  }

  @Override
  public void onStartAsync(AsyncEvent event) throws IOException {
    listener.onStartAsync(passed(event));
  }
}
