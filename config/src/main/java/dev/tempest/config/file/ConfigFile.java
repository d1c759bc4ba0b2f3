package dev.tempest.config.file;

import dev.tempest.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A configuration file that was read.
 *
 * @param name its path or URL, for messages
 * @param folder that relative paths in it start from
 * @param text what it says
 */
record ConfigFile(String name, Path folder, String text) {
  private static final int FILE_MAX_BYTES = 1 << 20;

  /**
   * Reads a file.
   *
   * @param remedy what to do if there is none
   * @throws ConfigException if there is none, or it cannot be read
   */
  static ConfigFile read(Path file, String remedy) {
    String name = file.toString();
    Path parent = file.getParent();
    try (InputStream bytes = Files.newInputStream(file)) {
      return read(name, parent == null ? Path.of("") : parent, bytes);
    } catch (NoSuchFileException e) {
      throw new ConfigException(name, "configuration file not found", remedy);
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  /** Reads a file of the class path. */
  static ConfigFile read(URL url) {
    try {
      URLConnection connection = url.openConnection();
      connection.setUseCaches(false); // Else the jar stays open.
      try (InputStream bytes = connection.getInputStream()) {
        return read(url.toString(), Path.of(""), bytes);
      }
    } catch (IOException e) {
      throw unreadable(url.toString(), e);
    }
  }

  private static ConfigFile read(String name, Path folder, InputStream stream) throws IOException {
    byte[] bytes = stream.readNBytes(FILE_MAX_BYTES + 1);
    if (bytes.length > FILE_MAX_BYTES) {
      throw new ConfigException(
          name, "the file is larger than " + FILE_MAX_BYTES + " bytes", "is it the right one?");
    }
    return new ConfigFile(
        name,
        folder,
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
  }

  private static ConfigException unreadable(String name, IOException e) {
    ConfigException refusal =
        switch (e) {
          case CharacterCodingException foreign ->
              new ConfigException(name, "the file is not in UTF-8", "write it in UTF-8");
          case AccessDeniedException denied ->
              new ConfigException(name, "this process may not read the file", "let it");
          default ->
              new ConfigException(name, "the file cannot be read (" + e + ")", "check the file");
        };
    refusal.initCause(e);
    return refusal;
  }
}
