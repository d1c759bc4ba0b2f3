package dev.tempest.examples.petstore;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** A service that does next to nothing: what it takes is what Tempest takes. */
public interface Nothing {
  /** Changes nothing; always 0. */
  @Update
  int write();

  /** Reads nothing; always 0. */
  @Read
  int read();
}
