package dev.tempest.bench;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** An object as a line of text between parent and child, which trust each other. */
final class ObjectLine {
  private ObjectLine() {}

  static String of(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // Histograms are mostly zeros.
    Deflater fast = new Deflater(Deflater.BEST_SPEED);
    try (ObjectOutputStream out = new ObjectOutputStream(new DeflaterOutputStream(bytes, fast))) {
      out.writeObject(object);
    } finally {
      fast.end();
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  static Object read(String line) throws IOException {
    byte[] bytes = Base64.getDecoder().decode(line);
    try (ObjectInputStream in =
        new ObjectInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
      return in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }
}
