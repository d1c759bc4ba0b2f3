package dev.tempest.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.values.encoding.Bytes;
import org.junit.jupiter.api.Test;

/** Methods for which one server may have the memory, and another one not. */
final class FullMemoryTest {
  /** A service with such methods. */
  public interface Large {
    /** Finds none. */
    @Update
    void write();

    /** Finds none. */
    @Read
    void look();

    /** Asks for more than anybody has. */
    @Update
    void ask();
  }

  private static final class LargeService implements Large {
    @Override
    public void write() {
      throw new OutOfMemoryError("Java heap space");
    }

    @Override
    public void look() {
      write();
    }

    @Override
    public void ask() {
      throw new OutOfMemoryError("Requested array size exceeds VM limit");
    }
  }

  private final ServiceInstance service =
      ServiceInstance.of(Large.class, state -> new LargeService());

  @Test
  void theOutcomeSaysThatItIsOfThisServer() {
    assertThat(message("write"))
        .isEqualTo(
            "Java heap space. This server had not enough memory for it; at other servers the"
                + " update may count");
    assertThat(message("look"))
        .isEqualTo("Java heap space. This server had not enough memory for it; others may have");
    assertThat(message("ask"))
        .as("what nobody has")
        .isEqualTo("Requested array size exceeds VM limit");
  }

  private String message(String name) {
    ServiceMethod method =
        service.description().methods().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    Bytes none = method.encode(new Object[0]);
    Result result =
        method.isUpdate()
            ? service.update(service.emptyVersion(), method.number(), none, 0, 0).result()
            : service.read(service.emptyVersion(), method.number(), none, 0);
    return ((Result.Threw) result).message();
  }
}
