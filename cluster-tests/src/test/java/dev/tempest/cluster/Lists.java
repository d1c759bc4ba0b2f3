package dev.tempest.cluster;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Lists, each under a name, that are empty at first: who reads one sees who wrote before. */
public interface Lists {
  /** All elements, in the order in which they came. */
  @Read
  List<Long> read(String list);

  /** Adds an element at the end. */
  @Update
  void append(String list, long element);

  /** A list with another element; null is an empty one. */
  static long[] appended(long @Nullable [] before, long element) {
    long[] longer = before == null ? new long[1] : Arrays.copyOf(before, before.length + 1);
    longer[longer.length - 1] = element;
    return longer;
  }

  /** The lists of all names. */
  final class Service implements Lists {
    private static final long[] NOTHING = {};

    private final Map<String, long[]> elements;

    /** All are empty. */
    public Service(State state) {
      this.elements = state.map("elements", String.class, long[].class);
    }

    @Override
    public List<Long> read(String list) {
      return LongStream.of(elements.getOrDefault(list, NOTHING)).boxed().toList();
    }

    @Override
    public void append(String list, long element) {
      elements.put(list, appended(elements.get(list), element));
    }
  }
}
