package dev.tempest.examples.shop;

import dev.tempest.spring.Tempest;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What there is to buy, in a collection: each instance reads it from its own memory. */
@RestController
final class CatalogController {
  private final ConcurrentMap<String, Product> products;

  CatalogController(@Tempest("products") ConcurrentMap<String, Product> products) {
    this.products = products;
  }

  @PutMapping("/products/{id}")
  Product put(@PathVariable String id, @RequestParam String name, @RequestParam int cents) {
    Product product = new Product(name, cents);
    products.put(id, product);
    return product;
  }

  @GetMapping("/products")
  Map<String, Product> all() {
    return products;
  }
}
