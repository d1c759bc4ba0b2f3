package dev.tempest.cbor;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/** Refuses fields declared as Object: Jackson would make maps and lists of what they hold. */
final class NoObjects extends StdDeserializer<Object> {
  NoObjects() {
    super(Object.class);
  }

  @Override
  public Object deserialize(JsonParser parser, DeserializationContext context) {
    return context.reportInputMismatch(
        this,
        "it is declared as Object: declare the class, or the type arguments, of what it holds");
  }
}
