package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.state.Merge;
import dev.tempest.state.Value;
import dev.tempest.values.TooLargeException;
import dev.tempest.values.encoding.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No entry becomes so large that a state which holds it cannot travel. */
final class EntryLimitTest {
  private static final String LARGE = "x".repeat(EntryLimit.ENTRY_MAX_BYTES + 1);
  private static final Merge<String> CONCAT = Merge.of("concat", (a, b) -> a + b);

  record Note(String text, int lines) {}

  private final VersionedState service = new VersionedState();
  private final Map<String, Note> notes = service.map("notes", String.class, Note.class);
  private final Map<String, String> texts = service.map("texts", String.class, String.class);
  private final Set<String> words = service.set("words", String.class);
  private final List<String> lines = service.list("lines", String.class);
  private final Value<String> title = service.value("title", String.class);

  EntryLimitTest() {
    service.register(CONCAT);
  }

  @Test
  void aServiceIsToldWhichEntryIsTooLarge() {
    assertRefused(
        () -> notes.put("k", new Note(LARGE, 1)), "map 'notes', key of java.lang.String k: ");
    assertRefused(() -> words.add(LARGE), "set 'words', key of java.lang.String xxxx");
    assertRefused(() -> lines.add(LARGE), "an element of list 'lines': larger than the limit");
    assertRefused(() -> title.set(LARGE), "value 'title': larger than the limit");
  }

  @Test
  void mergesOfAServiceStopAtTheLimit() {
    assertRefused(
        () -> {
          for (int i = 0; i < 5; i++) {
            texts.merge("k", LARGE.substring(0, LARGE.length() / 4), CONCAT);
          }
        },
        "map 'texts', key of java.lang.String k: ");
  }

  @Test
  void whatIsAsLargeAsItMayBeTravels() {
    VersionedAction action = begin(service.emptyVersion());
    texts.put("k", LARGE.substring(0, LARGE.length() - 20));
    Version version = action.commit();
    Bytes piece = WholeVersion.bytes(service, version);
    assertThat(WholeVersion.read(service, piece)).isEqualTo(version);
  }

  @Test
  void mergesOfANodeStopWhereItWrites() {
    LocalHome node = new LocalHome();
    node.state.register(CONCAT);
    Map<String, String> map = node.state.map("map", String.class, String.class);
    String piece = LARGE.substring(0, 20 << 20);
    map.put("k", piece);
    map.merge("k", piece, CONCAT);
    map.merge("k", piece, CONCAT);
    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> map.merge("k", piece, CONCAT))
        .withMessageStartingWith("map 'map', key of java.lang.String k: larger than the limit");
    assertThat(map.get("k")).hasSize(60 << 20);
  }

  /** Each is within the limit where it is written; all replicas leave out the same one. */
  @Test
  void concurrentMergesStopWhereAPieceStillHoldsThem() {
    Version before = service.emptyVersion();
    VersionedAction first = begin(before);
    texts.put("k", "0");
    Version base = first.commit();
    Version merged = base;
    for (char part : "abc".toCharArray()) {
      VersionedAction action = begin(base);
      texts.merge("k", String.valueOf(part).repeat(60 << 20), CONCAT);
      Change change = action.change();
      action.abort();
      merged = change.applyTo(merged);
    }
    Bytes piece = WholeVersion.bytes(service, merged);
    VersionedAction reading = service.beginReadOnly(WholeVersion.read(service, piece), 0);
    assertThat(texts.get("k")).hasSize((120 << 20) + 1).endsWith("b");
    reading.abort();
    assertThat(service.takeComplaint())
        .startsWith(
            "concurrent writes, merged by 'concat', would make an entry of map 'texts' larger than"
                + " 128 MiB: the earlier value stays");
  }

  private VersionedAction begin(Version before) {
    return service.begin(before, 0, 0);
  }

  private void assertRefused(Runnable writes, String message) {
    VersionedAction action = begin(service.emptyVersion());
    try {
      assertThatExceptionOfType(TooLargeException.class)
          .isThrownBy(writes::run)
          .withMessageStartingWith(message)
          .withMessageEndingWith(
              ". One entry takes at most 64 MiB: keep what is large in several entries");
    } finally {
      action.abort();
    }
  }
}
