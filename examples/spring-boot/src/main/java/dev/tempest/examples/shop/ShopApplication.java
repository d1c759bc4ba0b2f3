package dev.tempest.examples.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A shop; any number of instances of it share what they know. */
@SpringBootApplication
public class ShopApplication {
  /** Starts it. */
  public static void main(String[] arguments) {
    SpringApplication.run(ShopApplication.class, arguments);
  }
}
