package dev.tempest.spring.bank;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** How much there is. */
public interface Accounts {
  /** More, or less. */
  @Update
  long add(String account, long cents);

  /** How much. */
  @Read
  long of(String account);
}
