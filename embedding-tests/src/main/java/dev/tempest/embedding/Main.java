package dev.tempest.embedding;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.FreePorts;

/** A node that hosts a service, and a front-end, in one process: writes a note and reads it. */
public final class Main {
  private Main() {}

  /** Prints the note that was read. */
  public static void main(String[] arguments) {
    String self = "127.0.0.1:" + FreePorts.find(1).getFirst();
    try (Node node = Tempest.join(NodeConfig.builder().listen(self).members(self).build());
        FrontEnd frontEnd = FrontEnd.connect(FrontEndConfig.of(self))) {
      node.host("notes", Notes.class, NotesService::new);
      Notes notes = frontEnd.service(Notes.class);
      notes.write("shopping", "milk");
      System.out.println(notes.read("shopping"));
    }
  }
}
