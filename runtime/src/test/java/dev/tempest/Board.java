package dev.tempest;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import org.jspecify.annotations.Nullable;

/** A service to try a cluster with. */
public interface Board {
  /** Adds to the count of a name and returns it. */
  @Update
  long add(String name, long count);

  /** The count of a name. */
  @Read
  long count(String name);

  /** Writes a note and returns the one before. */
  @Update
  @Nullable String write(String name, @Nullable String note);

  /** The note of a name. */
  @Read
  @Nullable String note(String name);

  /** Throws what a service may throw. */
  @Update
  void fail(String name);

  /** Throws in a read. */
  @Read
  int failRead();

  /** Not part of the service. */
  default String both(String name) {
    return note(name) + count(name);
  }
}
