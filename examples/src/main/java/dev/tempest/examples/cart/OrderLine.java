package dev.tempest.examples.cart;

import java.math.BigDecimal;
import java.time.LocalDateTime;

/**
 * One line of a shop's order file: an item that a customer ordered, or sent back.
 *
 * @param time when, in the shop's local time
 * @param invoice the number of the invoice or, with a leading C, of the credit note
 * @param customer the customer's number
 * @param item the item's code
 * @param quantity how many; negative is a cancellation; never 0
 * @param price of one, in pounds sterling
 * @param country where the customer lives
 */
public record OrderLine(
    LocalDateTime time,
    String invoice,
    String customer,
    String item,
    int quantity,
    BigDecimal price,
    String country) {

  /** The cart and the item that it is about. */
  public CartLine cartLine() {
    return new CartLine(customer, item);
  }

  /** Does to the cart what the customer did: adds the item, or removes it again. */
  public int applyTo(ShoppingCart cart) {
    return quantity > 0
        ? cart.add(customer, item, quantity)
        : cart.remove(customer, item, Math.negateExact(quantity));
  }
}
