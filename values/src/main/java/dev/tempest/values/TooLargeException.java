package dev.tempest.values;

/**
 * A value that cannot be written or kept: its bytes exceed the limit of the writer, or it holds
 * records and collections within each other deeper than {@link ValueType#NESTING_MAX}.
 */
public final class TooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TooLargeException(int limitBytes) {
    super("larger than the limit of " + limitBytes + " bytes");
  }

  TooLargeException(Class<?> nested) {
    super(
        nested.getName()
            + " nested deeper than "
            + ValueType.NESTING_MAX
            + " records or collections: keep long chains in a collection");
  }
}
