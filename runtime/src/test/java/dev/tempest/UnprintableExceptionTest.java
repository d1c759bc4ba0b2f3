package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.service.Update;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A method throws what cannot even be logged. */
@Timeout(60)
final class UnprintableExceptionTest {
  /** A service that does so. */
  public interface Riddle {
    /** Returns the number if it is positive. */
    @Update
    int ask(int number);
  }

  private static final class Sphinx extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new StackOverflowError("its message describes itself");
    }
  }

  @AutoClose private final JoinedNodes nodes = new JoinedNodes();

  @Test
  void isNamedAndTheServiceGoesOn() {
    try (Logged logged = new Logged()) {
      Node node = nodes.join();
      node.host("riddle", Riddle.class, state -> UnprintableExceptionTest::answer);
      Riddle riddle = node.frontEnd().service(Riddle.class);
      assertThatThrownBy(() -> riddle.ask(-1))
          .isInstanceOf(ServiceException.class)
          .hasMessageContaining(Sphinx.class.getName());
      assertThat(riddle.ask(1)).isEqualTo(1);
      assertThat(logged.says("of service riddle threw")).as("%s", logged.texts()).isTrue();
    }
  }

  private static int answer(int number) {
    if (number < 0) {
      throw new Sphinx();
    }
    return number;
  }
}
