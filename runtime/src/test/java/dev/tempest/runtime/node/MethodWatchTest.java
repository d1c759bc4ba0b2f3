package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceMethod;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who does not return is named, each time once. */
@Timeout(60)
class MethodWatchTest {
  private static final long SECOND_NANOS = 1_000_000_000;

  /** Waits for something. */
  public interface Waiting {
    /** Waits, and writes maybe. */
    @Update
    void write();

    /** Waits. */
    @Read
    void look();
  }

  private final Semaphore called = new Semaphore(0);
  private final Semaphore returning = new Semaphore(0);

  private final class WaitingService implements Waiting {
    @Override
    public void write() {
      called.release();
      returning.acquireUninterruptibly();
    }

    @Override
    public void look() {
      write();
    }
  }

  private final ServiceInstance service =
      ServiceInstance.of(Waiting.class, state -> new WaitingService());
  private final MethodWatch watch = new MethodWatch(Thread.currentThread());
  private long nowNanos;

  @Test
  void eachCallIsNamedOnce() throws InterruptedException {
    service.watch(() -> nowNanos, (what, tookNanos) -> {});
    watch.add("waits", service);
    for (String method : new String[] {"write", "look", "write"}) {
      assertThat(watch.look(nowNanos + SECOND_NANOS)).isNull();
      Thread calling = Thread.ofVirtual().start(() -> call(method));
      called.acquire();
      assertThat(watch.look(nowNanos + SECOND_NANOS - 1)).isNull();
      assertThat(watch.look(nowNanos + SECOND_NANOS))
          .startsWith("In waits, method " + method + " has not returned for 1000 ms")
          .contains("end this process and start it again");
      assertThat(watch.look(nowNanos + 2 * SECOND_NANOS)).isNull();
      returning.release();
      calling.join();
      nowNanos += 10 * SECOND_NANOS;
    }
  }

  @Test
  void whoHasReturnedIsNotNamed() {
    service.watch(() -> nowNanos, (what, tookNanos) -> {});
    watch.add("waits", service);
    returning.release(2);
    call("write");
    assertThat(watch.look(10 * SECOND_NANOS)).isNull();
    call("look");
    assertThat(watch.look(10 * SECOND_NANOS)).isNull();
  }

  @Test
  void whatIsHostedNoMoreIsNotNamed() throws InterruptedException {
    service.watch(() -> nowNanos, (what, tookNanos) -> {});
    watch.add("waits", service);
    Thread calling = Thread.ofVirtual().start(() -> call("write"));
    called.acquire();
    watch.remove("waits");
    assertThat(watch.look(SECOND_NANOS)).isNull();
    returning.release();
    calling.join();
  }

  private void call(String name) {
    ServiceMethod method =
        service.description().methods().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    var none = method.encode(new Object[0]);
    if (method.isUpdate()) {
      var unused = service.update(service.emptyVersion(), method.number(), none, 0, 0);
    } else {
      var unused = service.read(service.emptyVersion(), method.number(), none, 0);
    }
  }
}
