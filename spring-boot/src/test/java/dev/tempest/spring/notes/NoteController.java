package dev.tempest.spring.notes;

import dev.tempest.MissingAcksException;
import dev.tempest.Node;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sets an attribute of a session, and answers in all ways that handlers do. */
@RestController
final class NoteController {
  private static final int LARGE = 100_000;

  private final Node node;

  NoteController(Node node) {
    this.node = node;
  }

  private static void set(HttpServletRequest request) {
    request.getSession().setAttribute("note", "set");
  }

  @GetMapping("/note")
  String get(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    return session == null ? "none" : String.valueOf(session.getAttribute("note"));
  }

  /** Takes as long as a test wants. */
  @GetMapping("/note/slow")
  String slow(HttpServletRequest request) throws InterruptedException {
    SlowRequest.BEGUN.release();
    SlowRequest.MAY_END.acquire();
    set(request);
    return "set";
  }

  @PutMapping("/note/void")
  void nothing(HttpServletRequest request) {
    set(request);
  }

  @PutMapping("/note/record")
  Note json(HttpServletRequest request) {
    set(request);
    return new Note("set");
  }

  @PutMapping("/note/large")
  Note large(HttpServletRequest request) {
    set(request);
    return new Note("x".repeat(LARGE));
  }

  @PutMapping("/note/string")
  String text(HttpServletRequest request) {
    set(request);
    return "set";
  }

  @PutMapping("/note/callable")
  Callable<String> later(HttpServletRequest request) {
    set(request);
    return () -> "set";
  }

  /** In another thread, by what the container has, and without a dispatch. */
  @PutMapping("/note/raw")
  void raw(HttpServletRequest request) {
    set(request);
    AsyncContext async = request.startAsync();
    async.start(() -> {
      try {
        async.getResponse().getWriter().print("set");
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      } finally {
        async.complete();
      }
    });
  }

  @PutMapping("/note/stream")
  void stream(HttpServletRequest request, HttpServletResponse response) throws IOException {
    set(request);
    try (OutputStream out = response.getOutputStream()) {
      out.write('x');
    }
  }

  @PutMapping("/note/redirect")
  void redirect(HttpServletRequest request, HttpServletResponse response) throws IOException {
    set(request);
    response.sendRedirect("/note");
  }

  @PutMapping("/note/error")
  void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
    set(request);
    response.sendError(HttpServletResponse.SC_CONFLICT);
  }

  @PutMapping("/note/login")
  String login(HttpServletRequest request) {
    return request.changeSessionId();
  }

  /** Fails at what is no session's, and as long as the application has one. */
  @PutMapping("/note/own")
  void own(HttpServletRequest request) {
    request.getSession(false);
    Map<String, String> carts = node.map("carts", String.class, String.class);
    try {
      node.batch(2, () -> carts.put("alice", "apple"));
    } catch (MissingAcksException failed) {
      throw new IllegalStateException("as asked for", failed);
    }
  }

  @PutMapping("/note/fail")
  void fail(HttpServletRequest request) {
    set(request);
    throw new IllegalStateException("as asked for");
  }
}
