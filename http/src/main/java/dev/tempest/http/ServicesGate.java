package dev.tempest.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Refuses requests (503) until there are services to answer them. Thread-safe. */
final class ServicesGate extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Duration patience;
  private final transient Answers answers;
  private transient volatile @Nullable ServicesServlet services;
  private transient boolean isShut;

  /** Whoever takes a refusal more slowly than that is cut off. */
  ServicesGate(Duration patience, Answers answers) {
    this.patience = patience;
    this.answers = answers;
  }

  /** Has these answer from now on, and says so; false if others do, or none are to any more. */
  synchronized boolean open(ServicesServlet opened) {
    boolean isFirst = services == null && !isShut;
    if (isFirst) {
      services = opened;
    }
    return isFirst;
  }

  /** Does not open any more. Those that answer go on. */
  synchronized void shut() {
    isShut = true;
  }

  /** Null until it is open. */
  @Nullable ServicesServlet services() {
    return services;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    ServicesServlet behind = services;
    if (behind == null) {
      Problem problem =
          Problem.unavailable("this server waits for its state, and answers no services yet");
      try {
        Reply.of(problem, response).send(response, patience);
      } catch (IOException unsent) {
        answers.failed(unsent);
        throw unsent;
      }
      answers.answered(problem.status());
    } else {
      behind.service((ServletRequest) request, response);
    }
  }

  @Override
  public void destroy() {
    shut();
    ServicesServlet behind = services;
    if (behind != null) {
      behind.destroy();
    }
  }
}
