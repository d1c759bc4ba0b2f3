package dev.tempest.spring.notes;

import dev.tempest.MissingAcksException;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Has an answer for whatever goes wrong. */
@RestController
final class CarefulController {
  @PutMapping("/note/handled")
  String text(HttpServletRequest request) {
    request.getSession().setAttribute("note", "set");
    return "set";
  }

  @PutMapping("/note/several")
  String several(HttpServletRequest request) {
    for (int i = 0; i < 4; i++) {
      request.getSession().setAttribute("note" + i, "set");
    }
    request.getSession().setAttribute("note", "last");
    return "set";
  }

  @PutMapping("/note/logout")
  String logout(HttpServletRequest request) {
    try {
      request.getSession().invalidate();
    } catch (MissingAcksException caught) {
      return "bye all the same";
    }
    return "bye";
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
  String handle(RuntimeException failed) {
    return "sorry, " + failed.getMessage();
  }
}
