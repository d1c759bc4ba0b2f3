package dev.tempest.bench.servlet;

import java.io.IOException;

/** The cart behind the servlet: how many of each item are in it. Thread-safe; callers block. */
interface Cart {
  /** Puts one more of the item into the cart; returns how many are in it then. */
  int add(String item) throws IOException, InterruptedException;

  /** How many of the item are in the cart. */
  int check(String item) throws IOException, InterruptedException;
}
