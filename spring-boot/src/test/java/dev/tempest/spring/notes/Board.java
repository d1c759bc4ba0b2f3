package dev.tempest.spring.notes;

import dev.tempest.spring.Tempest;
import java.util.concurrent.ConcurrentMap;
import org.springframework.stereotype.Component;

/** Notes that everybody sees, and may like. */
@Component
final class Board {
  private final ConcurrentMap<String, Note> notes;
  private final Likes likes;

  Board(@Tempest("notes") ConcurrentMap<String, Note> notes, Likes likes) {
    this.notes = notes;
    this.likes = likes;
  }

  void put(String id, String text) {
    notes.put(id, new Note(text));
  }

  Note get(String id) {
    return notes.get(id);
  }

  int like(String id) {
    return likes.like(id);
  }
}
