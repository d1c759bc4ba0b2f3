package dev.tempest.spring.bank;

import dev.tempest.config.Consistency;
import dev.tempest.spring.TempestService;
import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;

@TempestService(value = "accounts", consistency = Consistency.LINEARIZABLE)
final class AccountsService implements Accounts {
  private final ConcurrentMap<String, Long> cents;

  AccountsService(State state) {
    cents = state.map("cents", String.class, Long.class);
  }

  @Override
  public long add(String account, long more) {
    return cents.merge(account, more, Math::addExact);
  }

  @Override
  public long of(String account) {
    return cents.getOrDefault(account, 0L);
  }
}
