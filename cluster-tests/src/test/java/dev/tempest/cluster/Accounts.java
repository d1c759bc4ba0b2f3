package dev.tempest.cluster;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** The accounts of a {@link ServiceRelease}: what its old release can be asked. */
public interface Accounts {
  /** Adds, and returns the new balance. */
  @Update
  long deposit(String owner, long cents);

  /** What is there. */
  @Read
  long balance(String owner);
}
