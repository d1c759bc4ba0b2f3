package dev.tempest.cluster;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A server with {@link LargeValues}, which also asks for them. */
final class LargeValuesProgram {
  /** Whoever copies a value of 60 MiB answers nothing meanwhile. */
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private LargeValuesProgram() {}

  /**
   * Joins, and answers {@code make COUNT BYTES} and {@code whole BYTES}.
   *
   * @param arguments a name
   */
  public static void main(String[] arguments) throws IOException {
    ServiceConfig service =
        ServiceConfig.builder("large-values", LargeValues.Service.class.getName()).build();
    Node node = Tempest.join(NodeConfig.builder().service(service).build());
    FrontEnd frontEnd = node.frontEnd();
    LargeValues values = frontEnd.within(DEADLINE, frontEnd.service(LargeValues.class));
    System.out.println(HostProcess.ANSWER + "ready");
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      System.out.println(HostProcess.ANSWER + perform(values, line.split(" ", -1)));
    }
    Runtime.getRuntime().halt(1);
  }

  private static String perform(LargeValues values, String[] words) {
    int number = Integer.parseInt(words[1]);
    if (words[0].equals("whole")) {
      return String.valueOf(values.whole(number));
    }
    for (int each = 0; each < number; each++) {
      values.make(each, Integer.parseInt(words[2]));
    }
    return "made";
  }
}
