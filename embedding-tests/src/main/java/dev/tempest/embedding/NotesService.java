package dev.tempest.embedding;

import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The notes, in a map that Tempest keeps. */
public final class NotesService implements Notes {
  private final ConcurrentMap<String, Note> notes;

  /** No notes yet. */
  public NotesService(State state) {
    notes = state.map("notes", String.class, Note.class);
  }

  @Override
  public Note write(String title, String text) {
    Note before = read(title);
    Note after = new Note(text, before == null ? 1 : before.version() + 1);
    notes.put(title, after);
    return after;
  }

  @Override
  public @Nullable Note read(String title) {
    return notes.get(title);
  }
}
