package dev.tempest.cluster;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** What the new release of a {@link ServiceRelease} can be asked. */
public interface NewAccounts extends Accounts {
  /** Adds, and leaves a note. */
  @Update
  long credit(String owner, long cents, String note);

  /** The latest note; empty if there is none. */
  @Read
  String note(String owner);

  /** How often the owner was credited. */
  @Read
  int credits(String owner);
}
