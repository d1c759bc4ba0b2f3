package dev.tempest.spring.bank;

import dev.tempest.spring.Tempest;
import java.util.Map;
import org.springframework.stereotype.Component;

@Component
final class Teller {
  private final Accounts accounts;
  private final Map<String, String> owners;

  Teller(Accounts accounts, @Tempest("owners") Map<String, String> owners) {
    this.accounts = accounts;
    this.owners = owners;
  }

  long open(String account, String owner) {
    owners.put(account, owner);
    return accounts.add(account, 1);
  }
}
