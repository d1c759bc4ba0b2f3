package dev.tempest.examples.cart;

/**
 * A line of an order file is not what it should be; the message says which line, and what is wrong.
 */
public final class MalformedOrderException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long line;

  MalformedOrderException(String file, long line, String what) {
    super(what + "; " + file + " line " + line + "; each line has to read " + OrderFile.HEADER);
    this.line = line;
  }

  /** The number of the line in its file, from 1. */
  public long line() {
    return line;
  }
}
