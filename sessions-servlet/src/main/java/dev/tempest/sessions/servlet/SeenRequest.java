package dev.tempest.sessions.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/** A request of which one hears when it completes, before the container does. */
final class SeenRequest extends HttpServletRequestWrapper {
  private final Runnable completes;

  /** Whether what began to be asynchronous is what the container gave. */
  private volatile boolean isAsyncOriginal;

  private SeenRequest(HttpServletRequest request, Runnable completes) {
    super(request);
    this.completes = completes;
  }

  /** Of a dispatch it is one already, unless the application has begun with another request. */
  static HttpServletRequest of(HttpServletRequest request, Runnable completes) {
    boolean isOne =
        request instanceof SeenRequest
            || (request instanceof ServletRequestWrapper wrapper
                && wrapper.isWrapperFor(SeenRequest.class));
    return isOne ? request : new SeenRequest(request, completes);
  }

  @Override
  public AsyncContext startAsync() {
    isAsyncOriginal = true;
    return new SavingAsync(super.startAsync(), completes, isAsyncOriginal);
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    AsyncContext async = super.startAsync(request, response);
    isAsyncOriginal = async.hasOriginalRequestAndResponse();
    return new SavingAsync(async, completes, isAsyncOriginal);
  }

  @Override
  public AsyncContext getAsyncContext() {
    return new SavingAsync(super.getAsyncContext(), completes, isAsyncOriginal);
  }
}
