package dev.tempest.spring.bank;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with a linearizable service. */
@SpringBootApplication
public class BankApplication {
  /** Starts it. */
  public static void main(String[] arguments) {
    SpringApplication.run(BankApplication.class, arguments);
  }
}
