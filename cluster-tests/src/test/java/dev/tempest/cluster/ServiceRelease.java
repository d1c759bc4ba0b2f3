package dev.tempest.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;

/** Two releases of one service: the new one has a method, a component and a collection more. */
enum ServiceRelease {
  OLD(
      """
      package shop;

      record Account(long cents) {}
      """,
      """
      package shop;

      import dev.tempest.cluster.Accounts;
      import dev.tempest.state.State;
      import java.util.Map;

      public final class AccountsService implements Accounts {
        private final Map<String, Account> accounts;

        public AccountsService(State state) {
          accounts = state.map("accounts", String.class, Account.class);
        }

        @Override
        public long deposit(String owner, long cents) {
          long sum = balance(owner) + cents;
          accounts.put(owner, new Account(sum));
          return sum;
        }

        @Override
        public long balance(String owner) {
          Account account = accounts.get(owner);
          return account == null ? 0 : account.cents();
        }
      }
      """),

  NEW(
      """
      package shop;

      record Account(long cents, String note) {}
      """,
      """
      package shop;

      import dev.tempest.cluster.NewAccounts;
      import dev.tempest.state.State;
      import java.util.Map;

      public final class AccountsService implements NewAccounts {
        private final Map<String, Account> accounts;
        private final Map<String, Integer> credits;

        public AccountsService(State state) {
          accounts = state.map("accounts", String.class, Account.class);
          credits = state.map("credits", String.class, Integer.class);
        }

        @Override
        public long deposit(String owner, long cents) {
          Account before = accounts.get(owner);
          return put(owner, balance(owner) + cents, before == null ? null : before.note());
        }

        @Override
        public long credit(String owner, long cents, String note) {
          credits.merge(owner, 1, Integer::sum);
          return put(owner, balance(owner) + cents, note);
        }

        @Override
        public long balance(String owner) {
          Account account = accounts.get(owner);
          return account == null ? 0 : account.cents();
        }

        @Override
        public String note(String owner) {
          Account account = accounts.get(owner);
          return account == null || account.note() == null ? "" : account.note();
        }

        @Override
        public int credits(String owner) {
          return credits.getOrDefault(owner, 0);
        }

        private long put(String owner, long cents, String note) {
          accounts.put(owner, new Account(cents, note));
          return cents;
        }
      }
      """);

  /** The class of the service in both. */
  static final String CLASS_NAME = "shop.AccountsService";

  private final String account;
  private final String service;

  ServiceRelease(String account, String service) {
    this.account = account;
    this.service = service;
  }

  /** Compiles it into a folder of classes, which is as good as a jar. */
  Path compile(Path parent) throws IOException {
    Path folder = parent.resolve(name());
    Path sources = Files.createDirectories(folder.resolve("shop"));
    Path first = Files.writeString(sources.resolve("Account.java"), account);
    Path second = Files.writeString(sources.resolve("AccountsService.java"), service);
    List<String> arguments =
        List.of(
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            folder.toString(),
            first.toString(),
            second.toString());
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    if (exitCode != 0) {
      throw new IOException("the " + name() + " release does not compile");
    }
    return folder;
  }
}
