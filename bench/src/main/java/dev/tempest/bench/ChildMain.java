package dev.tempest.bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
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
    Program.Answers<Object, Object> answers =
        ((Program<Object, Object>) ObjectLine.read(in.readLine())).start();
    System.out.println(Child.READY);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(answer(answers, line));
    }
    Runtime.getRuntime().halt(0); // Whatever threads are left: nobody waits for them.
  }

  private static String answer(Program.Answers<Object, Object> answers, String line) {
    try {
      return Child.ANSWER + ObjectLine.of(answers.answer(ObjectLine.read(line)));
    } catch (Exception e) {
      e.printStackTrace();
      return Child.FAILED + String.valueOf(e).replace('\n', ' ');
    }
  }
}
