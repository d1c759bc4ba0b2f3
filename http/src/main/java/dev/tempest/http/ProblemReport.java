package dev.tempest.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/** What Tomcat refuses by itself, and what fails, as problem details. */
final class ProblemReport extends ErrorReportValve {
  @Override
  protected void report(Request request, Response response, @Nullable Throwable thrown) {
    int status = response.getStatus();
    if (status < HttpServletResponse.SC_BAD_REQUEST
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    // After a silence Tomcat drops the body that the servlet has written.
    Problem problem =
        status == HttpServletResponse.SC_REQUEST_TIMEOUT
            ? Bodies.silent()
            : new Problem(status, "http", "HTTP status " + status, detail(response, thrown));
    byte[] body = Json.write(problem.body());
    try {
      response.setContentType(Problem.MEDIA_TYPE);
      response.setContentLength(body.length);
      response.getOutputStream().write(body);
      response.finishResponse();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  /** Of what callers do wrong the log says nothing, and what Tomcat says is for its programmers. */
  private static String detail(Response response, @Nullable Throwable thrown) {
    if (response.getStatus() >= HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
      return thrown != null || response.getStatus() == HttpServletResponse.SC_INTERNAL_SERVER_ERROR
          ? "the log of the server says more"
          : message(response);
    }
    return thrown != null ? "the request is not as HTTP has it, see RFC 9112" : message(response);
  }

  private static String message(Response response) {
    return Optional.ofNullable(response.getMessage()).orElse("see RFC 9110");
  }
}
