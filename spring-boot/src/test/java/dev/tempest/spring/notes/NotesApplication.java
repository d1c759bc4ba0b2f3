package dev.tempest.spring.notes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with a collection, a service and sessions. */
@SpringBootApplication
public class NotesApplication {
  /** Starts it. */
  public static void main(String[] arguments) {
    SpringApplication.run(NotesApplication.class, arguments);
  }
}
