package dev.tempest.cluster;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A program of a {@link HostProcess} that performs what it is told. */
interface Answering {
  /** What it answers to a command. */
  String perform(String command) throws Exception;

  /** Says that it is ready, and answers; with its input it ends, and all its threads. */
  static void begin(Answering program) throws Exception {
    System.out.println(HostProcess.ANSWER + "ready");
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      System.out.println(HostProcess.ANSWER + program.perform(line));
    }
    Runtime.getRuntime().halt(1);
  }
}
