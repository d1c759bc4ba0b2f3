package dev.tempest.examples.shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Calls the service that every instance hosts; an update is executed once at each. */
@RestController
final class StockController {
  private final Stock stock;

  StockController(Stock stock) {
    this.stock = stock;
  }

  /** More, or fewer: a balancer must not repeat it, so it is no PUT. */
  @PostMapping("/stock/{product}")
  int add(@PathVariable String product, @RequestParam int count) {
    return stock.add(product, count);
  }

  @GetMapping("/stock/{product}")
  int count(@PathVariable String product) {
    return stock.count(product);
  }
}
