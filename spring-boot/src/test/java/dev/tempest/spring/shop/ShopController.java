package dev.tempest.spring.shop;

import dev.tempest.spring.TempestCollection;
import jakarta.servlet.http.HttpSession;
import java.util.concurrent.ConcurrentMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ShopController {
  private final ConcurrentMap<String, Product> products;
  private final Stock stock;

  ShopController(
      @TempestCollection("products") ConcurrentMap<String, Product> products, Stock stock) {
    this.products = products;
    this.stock = stock;
  }

  @PutMapping("/products/{id}")
  void put(@PathVariable String id, @RequestParam String name, @RequestParam int cents) {
    products.put(id, new Product(name, cents));
  }

  @GetMapping("/products/{id}")
  Product get(@PathVariable String id) {
    return products.get(id);
  }

  @PutMapping("/stock/{id}")
  int add(@PathVariable String id, @RequestParam int count) {
    return stock.add(id, count);
  }

  /** How many requests the session has seen, this one included. */
  @GetMapping("/visits")
  int visit(HttpSession session) {
    int visits = session.getAttribute("visits") instanceof Integer before ? before + 1 : 1;
    session.setAttribute("visits", visits);
    return visits;
  }

  /** As a request that takes its time. */
  @GetMapping("/slow")
  int slow(HttpSession session) throws InterruptedException {
    SlowRequest.BEGUN.release();
    SlowRequest.MAY_END.acquire();
    return visit(session);
  }
}
