package dev.tempest.simulator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Processes of two releases of which one has a class of the same name as the other one, and lacks a
 * component of it: it keeps the component, and passes it on.
 */
class EvolvingRecordsTest {
  private static final int SEEDS = 20;
  private static final Class<?> BEFORE = new Before().type();
  private static final Constructor<?> MADE = BEFORE.getDeclaredConstructors()[0];

  /** Has the class under the name that it has in the newer release. */
  private static final class Before extends ClassLoader {
    Before() {
      super(EvolvingRecordsTest.class.getClassLoader());
    }

    Class<?> type() {
      String now = WithNote.class.getName();
      assertThat(now).hasSameSizeAs(Noteless.class.getName());
      try (InputStream in = Noteless.class.getResourceAsStream("Noteless.class")) {
        String code = new String(Objects.requireNonNull(in).readAllBytes(), ISO_8859_1);
        byte[] renamed =
            code.replace("Noteless", WithNote.class.getSimpleName()).getBytes(ISO_8859_1);
        return defineClass(now, renamed, 0, renamed.length);
      } catch (IOException broken) {
        throw new IllegalStateException("the class cannot be read", broken);
      }
    }
  }

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  private static <T> Goods.Release<T> older(Class<T> noted) {
    return new Goods.Release<>(
        true,
        noted,
        tag -> {
          try {
            return noted.cast(MADE.newInstance(tag));
          } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException("no record of the older release", broken);
          }
        });
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void componentsThatAreNotKnownArePassedOn(long first) {
    Seeds.forEach(
        first,
        SEEDS,
        seed ->
            Seeds.check(
                Simulation.run(
                    World.ofCollections(seed)
                        .scenario(Scenario.UPGRADE)
                        .workload(() -> new CollectionsWorkload(older(BEFORE))))));
  }
}
