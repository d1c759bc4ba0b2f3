package dev.tempest.config.file;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Refuses YAML that nests deeper than any configuration: composing it is recursive. */
final class ShallowParser extends ParserImpl {
  private static final int DEPTH_MAX = 64;

  private int depth;

  ShallowParser(LoadSettings settings, String text) {
    super(settings, new StreamReader(settings, text));
  }

  @Override
  public Event next() {
    Event event = super.next();
    switch (event.getEventId()) {
      case MappingStart, SequenceStart -> depth++;
      case MappingEnd, SequenceEnd -> depth--;
      default -> {
        return event;
      }
    }
    if (depth > DEPTH_MAX) {
      throw new ParserException(
          "lists and mappings nest more than " + DEPTH_MAX + " deep", event.getStartMark());
    }
    return event;
  }
}
