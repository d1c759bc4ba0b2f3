package dev.tempest.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The child's side of {@link ChildProcess}: says when it is ready, runs plans line by line, and
 * ends when its parent closes the pipe or is gone.
 */
public final class ChildMain {
  private ChildMain() {}

  /** What a child does with a line of its parent's. */
  @FunctionalInterface
  public interface Service {
    /** Does it, and returns the answer, one line. */
    String answer(String request) throws Exception;
  }

  /** Serves until the parent is gone. Runs nothing: for processes that only answer. */
  public static void serve() throws IOException {
    serveLines(request -> {
      throw new IllegalStateException("this process makes no load");
    });
  }

  /** Runs the parent's plans until the parent is gone. */
  public static void serve(Load load) throws IOException {
    serveLines(request -> load.run(LoadPlan.parse(request)).toLine());
  }

  /** Answers the parent's lines until the parent is gone. */
  public static void serveLines(Service service) throws IOException {
    PrintStream out = System.out;
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    out.println(ChildProcess.READY);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(answer(service, line));
    }
    Runtime.getRuntime().halt(0); // Whatever threads are left: nobody waits for them.
  }

  private static String answer(Service service, String line) {
    try {
      return ChildProcess.ANSWER + service.answer(line);
    } catch (Exception e) {
      e.printStackTrace();
      return ChildProcess.FAILED + String.valueOf(e).replace('\n', ' ');
    }
  }
}
