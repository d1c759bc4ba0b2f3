package dev.tempest.embedding;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.ServerConfig;
import dev.tempest.runtime.ServerNode;
import dev.tempest.service.ServiceInstance;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A server and a front-end in one process: writes a note and reads it. */
public final class Main {
  private Main() {}

  /** Prints the note that was read. */
  public static void main(String[] arguments) throws InterruptedException {
    String self = "127.0.0.1:" + FreePorts.find(1).getFirst();
    Map<String, ServiceInstance> services = Map.of("notes", ServiceInstance.of(NotesService.class));
    try (ServerNode server = ServerNode.start(ServerConfig.of(self, List.of(self)), services);
        FrontEnd frontEnd = FrontEnd.connect(FrontEndConfig.of(self))) {
      if (!server.awaitActive(Duration.ofSeconds(30))) {
        throw new IllegalStateException("the server does not become active");
      }
      Notes notes = frontEnd.service(Notes.class);
      notes.write("shopping", "milk");
      System.out.println(notes.read("shopping"));
    }
  }
}
