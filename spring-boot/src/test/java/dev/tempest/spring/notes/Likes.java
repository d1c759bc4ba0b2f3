package dev.tempest.spring.notes;

import dev.tempest.service.Update;

/** How many like each note. */
public interface Likes {
  /** One more. */
  @Update
  int like(String note);
}
