package dev.tempest.config;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the collections are kept whose names fit a pattern.
 *
 * @param pattern the name of a collection, or the beginning of names and a star: {@code carts},
 *     {@code session-*}, {@code *}
 * @param config what applies to them, all of it: nothing is added from other patterns
 */
public record CollectionRule(String pattern, CollectionConfig config) {
  static final String NAME_FORM = "[a-z0-9-]{1,64}";
  static final String FORM = NAME_FORM + "|[a-z0-9-]{0,63}\\*";

  private static final Pattern NAME = Pattern.compile(NAME_FORM);
  private static final Pattern VALID = Pattern.compile(FORM);

  /** Refuses patterns that no name can fit. */
  public CollectionRule {
    if (!VALID.matcher(pattern).matches()) {
      throw new IllegalArgumentException(
          "invalid collection pattern '"
              + pattern
              + "': use up to 64 characters of a-z, 0-9 and -, the last may be a *");
    }
  }

  /**
   * The name, if it is one that a collection may have.
   *
   * @throws IllegalArgumentException if it is none, saying what would be
   */
  public static String checkName(String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "invalid collection name '" + name + "': use up to 64 characters of a-z, 0-9 and -");
    }
    return name;
  }

  /** Whether a collection may have this name. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Of these, the one that applies to a collection. */
  static Optional<CollectionRule> of(String collection, List<CollectionRule> rules) {
    return rules.stream()
        .filter(rule -> rule.matches(collection))
        .max(Comparator.comparingInt(CollectionRule::specificity));
  }

  /** Whether the pattern fits the name of a collection. */
  public boolean matches(String name) {
    return isBeginning() ? name.startsWith(beginning()) : name.equals(pattern);
  }

  /** Among patterns that fit one name, the most specific has the highest number. */
  private int specificity() {
    return isBeginning() ? beginning().length() : Integer.MAX_VALUE;
  }

  private boolean isBeginning() {
    return pattern.endsWith("*");
  }

  private String beginning() {
    return pattern.substring(0, pattern.length() - 1);
  }
}
