package dev.tempest.bench;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Base64;

/** An object as a line of text between parent and child, which trust each other. */
final class ObjectLine {
  private ObjectLine() {}

  static String of(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  static Object read(String line) throws IOException {
    byte[] bytes = Base64.getDecoder().decode(line);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }
}
