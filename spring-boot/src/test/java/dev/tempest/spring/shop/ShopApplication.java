package dev.tempest.spring.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application as users write them: a collection, a service and sessions. */
@SpringBootApplication
public class ShopApplication {
  /** Starts it. */
  public static void main(String[] arguments) {
    SpringApplication.run(ShopApplication.class, arguments);
  }
}
