package dev.tempest.embedding;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import org.jspecify.annotations.Nullable;

/** A service: notes by title. */
public interface Notes {
  /**
   * A note.
   *
   * @param version how often it was written, from 1
   */
  record Note(String text, int version) {}

  /** Writes a note. */
  @Update
  Note write(String title, String text);

  /** The note of this title; null if there is none. */
  @Read
  @Nullable Note read(String title);
}
