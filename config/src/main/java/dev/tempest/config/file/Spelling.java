package dev.tempest.config.file;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses what somebody meant who wrote a word that is not known. */
public final class Spelling {
  private Spelling() {}

  /**
   * The known word that takes the fewest changes of a letter to get at, if those are at most two
   * and at most half of its letters.
   */
  public static Optional<String> nearest(String word, Collection<String> known) {
    return nearest(word, known, 2);
  }

  /** The known word that is one letter away: more likely a slip than another word. */
  public static Optional<String> slip(String word, Collection<String> known) {
    return nearest(word, known, 1);
  }

  private static Optional<String> nearest(String word, Collection<String> known, int changesMax) {
    return known.stream()
        .filter(
            candidate -> distance(word, candidate) <= Math.min(changesMax, candidate.length() / 2))
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
  }

  /** The advice on an unknown word: the nearest known one if there is one, and all of them. */
  public static String advice(String word, Collection<String> known) {
    String all = "known: " + (known.isEmpty() ? "none" : String.join(", ", known));
    return nearest(word, known)
        .map(nearest -> "did you mean '" + nearest + "'? (" + all + ")")
        .orElse(all);
  }

  /** The advice on a further unknown word, after {@link #advice} on one before. */
  static String shortAdvice(String word, Collection<String> known) {
    return nearest(word, known)
        .map(nearest -> "did you mean '" + nearest + "'?")
        .orElse("the known ones are listed above");
  }

  /** Levenshtein's distance, letters compared without case. */
  private static int distance(String word, String candidate) {
    int[] row = new int[candidate.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= word.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        boolean same =
            Character.toLowerCase(word.charAt(i - 1))
                == Character.toLowerCase(candidate.charAt(j - 1));
        int substituted = diagonal + (same ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[candidate.length()];
  }
}
