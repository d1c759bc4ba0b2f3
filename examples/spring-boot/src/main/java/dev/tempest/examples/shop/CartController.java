package dev.tempest.examples.shop;

import jakarta.servlet.http.HttpSession;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The cart is the session, with an attribute for each product: so two requests of one customer that
 * put different products in at the same time lose neither.
 */
@RestController
final class CartController {
  private static final String PREFIX = "cart:";

  /** How many, and not how many more: so whoever does not know whether it ran may repeat it. */
  @PutMapping("/cart/{product}")
  SortedMap<String, Integer> put(
      @PathVariable String product, @RequestParam int count, HttpSession session) {
    session.setAttribute(PREFIX + product, count);
    return show(session);
  }

  @GetMapping("/cart")
  SortedMap<String, Integer> show(HttpSession session) {
    SortedMap<String, Integer> cart = new TreeMap<>();
    for (String name : Collections.list(session.getAttributeNames())) {
      if (name.startsWith(PREFIX) && session.getAttribute(name) instanceof Integer count) {
        cart.put(name.substring(PREFIX.length()), count);
      }
    }
    return cart;
  }
}
