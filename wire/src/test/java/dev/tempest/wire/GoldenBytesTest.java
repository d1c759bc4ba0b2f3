package dev.tempest.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.GoldenFrames.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Pins the layout: other versions of this software speak it too. {@code -Dgolden.write=true} writes
 * the file anew; what changes in it is to be read as a break with them.
 */
class GoldenBytesTest {
  private static final Path FILE =
      Path.of("src", "test", "resources", "dev", "tempest", "wire", "frames-v2.txt");

  private static final String ABOUT =
      """
      # Frames of version 2, byte by byte. Written by GoldenBytesTest with -Dgolden.write=true.
      # Lines of a frame: header (magic, version, reserved; checksum; cluster; sender), then of each
      # message type and length, and its body in rows of 16. Fields: docs/reference/wire.md.
      """;

  @Test
  void theBytesOfEveryFrameAreThePinnedOnes() throws IOException {
    List<String> sections = new ArrayList<>();
    for (Example example : GoldenFrames.examples()) {
      sections.add(section(example));
    }
    String actual = ABOUT + "\n" + String.join("\n", sections);
    if (Boolean.getBoolean("golden.write")) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(FILE));
  }

  @Test
  void thePinnedBytesReadAsTheFrames() throws IOException {
    Map<String, byte[]> pinned = pinned();
    for (Example example : GoldenFrames.examples()) {
      byte[] bytes = Objects.requireNonNull(pinned.get(example.name()), example.name());
      assertThat(Frames.read(bytes)).as(example.name()).isEqualTo(example.frame());
    }
  }

  @Test
  void everyKindOfMessageIsPinned() throws IOException {
    List<Class<?>> pinned =
        pinned().values().stream()
            .flatMap(bytes -> Frames.read(bytes).messages().stream())
            .<Class<?>>map(Kinds::of)
            .distinct()
            .toList();
    assertThat(Kinds.all()).hasSizeGreaterThan(13).allMatch(pinned::contains);
  }

  @Test
  void noTwoKindsOfMessageHaveOneNumber() {
    Map<Integer, Class<?>> kinds = new LinkedHashMap<>();
    for (Example example : GoldenFrames.examples()) {
      if (!example.frame().messages().isEmpty()) {
        Class<?> kind = Kinds.of(example.frame().messages().getFirst());
        int number = Frames.write(example.frame())[FrameCodec.HEADER_BYTES] & 0xFF;
        assertThat(kinds.merge(number, kind, (one, other) -> one)).isEqualTo(kind);
      }
    }
  }

  @Test
  void theNamesOfTheExamplesDiffer() {
    assertThat(GoldenFrames.examples()).extracting(Example::name).doesNotHaveDuplicates();
  }

  private static String section(Example example) {
    byte[] bytes = Frames.write(example.frame());
    StringBuilder text = new StringBuilder("== ").append(example.name()).append('\n');
    line(text, bytes, 0, 4, 8, 16, FrameCodec.HEADER_BYTES);
    int at = FrameCodec.HEADER_BYTES;
    for (Message message : example.frame().messages()) {
      text.append("# ").append(message).append('\n');
      int body = at + 1;
      int length = bytes[body] & 0x7F;
      if (bytes[body++] < 0) {
        length |= bytes[body++] << 7;
      }
      line(text, bytes, at, at + 1, body);
      at = body;
      for (int end = body + length; at < end; at = Math.min(end, at + 16)) {
        line(text, bytes, at, Math.min(end, at + 16));
      }
    }
    return text.toString();
  }

  /** The bytes between the first and the last place, with spaces at those in between. */
  private static void line(StringBuilder text, byte[] bytes, int... places) {
    for (int i = 1; i < places.length; i++) {
      text.append(i == 1 ? "" : " ")
          .append(HexFormat.of().formatHex(bytes, places[i - 1], places[i]));
    }
    text.append('\n');
  }

  private static Map<String, byte[]> pinned() throws IOException {
    Map<String, byte[]> frames = new LinkedHashMap<>();
    for (String section : Files.readString(FILE, UTF_8).split("(?m)^== ", -1)) {
      List<String> lines = section.lines().toList();
      StringBuilder hex = new StringBuilder();
      lines.stream()
          .skip(1)
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> hex.append(line.replace(" ", "")));
      if (!hex.isEmpty()) {
        frames.put(lines.getFirst(), HexFormat.of().parseHex(hex));
      }
    }
    return frames;
  }
}
