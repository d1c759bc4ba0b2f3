package dev.tempest.embedding;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.UUID;

/** A node that hosts a service, and a front-end, in one process: writes a note and reads it. */
public final class Main {
  private Main() {}

  /** Prints the note that was read. */
  public static void main(String[] arguments) {
    String cluster = "embedding-" + UUID.randomUUID();
    try (Node node =
            Tempest.join(NodeConfig.builder().cluster(cluster).listen("127.0.0.1").build());
        FrontEnd frontEnd =
            FrontEnd.connect(
                FrontEndConfig.builder(node.members().getFirst()).cluster(cluster).build())) {
      node.host("notes", Notes.class, NotesService::new);
      Notes notes = frontEnd.service(Notes.class);
      notes.write("shopping", "milk");
      System.out.println(notes.read("shopping"));
    }
  }
}
