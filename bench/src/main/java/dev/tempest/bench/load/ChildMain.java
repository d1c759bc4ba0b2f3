package dev.tempest.bench.load;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;

/**
 * The child's side of {@link Child}: starts the program that comes in the first line, says when it
 * is ready, answers line by line, and ends when its parent closes the pipe or is gone.
 */
final class ChildMain {
  private ChildMain() {}

  /** Serves until the parent is gone. */
  @SuppressWarnings("unchecked") // Of the parent's Child, which asks with the right type.
  public static void main(String[] arguments) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    Program.Answers<Serializable, Serializable> answers =
        ((Program<Serializable, Serializable>) ObjectLine.read(in.readLine())).start();
    System.out.println(ChildProcess.READY);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(answer(answers, line));
    }
    Runtime.getRuntime().halt(0); // Whatever threads are left: nobody waits for them.
  }

  private static String answer(Program.Answers<Serializable, Serializable> answers, String line) {
    try {
      Serializable question = (Serializable) ObjectLine.read(line);
      return ChildProcess.ANSWER + ObjectLine.of(answers.answer(question));
    } catch (Exception e) {
      e.printStackTrace();
      return ChildProcess.FAILED + String.valueOf(e).replace('\n', ' ');
    }
  }
}
