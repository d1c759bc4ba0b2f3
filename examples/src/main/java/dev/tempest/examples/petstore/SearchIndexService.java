package dev.tempest.examples.petstore;

import dev.tempest.state.State;
import java.util.Locale;
import java.util.NavigableSet;

/** The index: a sorted set, in which the pets of a word lie side by side. */
public final class SearchIndexService implements SearchIndex {
  private final NavigableSet<Posting> postings;

  /** Nothing is indexed yet. */
  public SearchIndexService(State state) {
    this.postings = state.sortedSet("postings", Posting.class);
  }

  @Override
  public int index(String pet, String text) {
    int added = 0;
    for (String word : text.toLowerCase(Locale.ROOT).split("\\W+", -1)) {
      if (!word.isEmpty() && postings.add(new Posting(word, pet))) {
        added++;
      }
    }
    return added;
  }

  @Override
  public String[] find(String word, int max) {
    String wanted = word.toLowerCase(Locale.ROOT);
    return postings.tailSet(new Posting(wanted, ""), true).stream()
        .takeWhile(posting -> posting.word().equals(wanted))
        .limit(max)
        .map(Posting::pet)
        .toArray(String[]::new);
  }
}
