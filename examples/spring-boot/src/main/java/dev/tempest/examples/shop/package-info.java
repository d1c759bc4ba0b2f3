/**
 * A shop whose carts are HTTP sessions, whose catalog is a collection, and whose stock is a
 * service.
 */
@NullMarked
package dev.tempest.examples.shop;

import org.jspecify.annotations.NullMarked;
