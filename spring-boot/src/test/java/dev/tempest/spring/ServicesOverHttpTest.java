package dev.tempest.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.http.ServicesServlet;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** The servlet for services works with the libraries in the versions that Spring Boot has. */
@Timeout(60)
final class ServicesOverHttpTest {
  /** How somebody pays. */
  public sealed interface Payment {}

  /** With a card. */
  public record Card(String number) implements Payment {}

  /** With coins. */
  public record Cash(int cents) implements Payment {}

  /** Remembers how somebody paid the last time. */
  public interface Payments {
    /** How he paid before, or now if he never did. */
    @Update
    Payment pay(String who, Payment payment);
  }

  /** Over a map. */
  public static final class PaymentsService implements Payments {
    private final ConcurrentMap<String, Payment> payments;

    PaymentsService(State state) {
      payments = state.map("payments", String.class, Payment.class);
    }

    @Override
    public Payment pay(String who, Payment payment) {
      Payment before = payments.put(who, payment);
      return before == null ? payment : before;
    }
  }

  @Test
  void valuesOfSealedTypesTravelThereAndBack() throws Exception {
    NodeConfig config =
        NodeConfig.builder()
            .cluster("boot-http-" + ProcessHandle.current().pid())
            .listen("127.0.0.1")
            .multicastPort(0)
            .loopback(false)
            .build();
    try (Node node = Tempest.join(config)) {
      node.host("payments", Payments.class, PaymentsService::new, ServiceOptions.defaults());
      ServicesServlet servlet = new ServicesServlet(node);
      String card = "{\"@type\":\"Card\",\"number\":\"4\"}";

      assertThat(posted(servlet, card)).isEqualTo(card);
      assertThat(posted(servlet, "{\"@type\":\"Cash\",\"cents\":5}")).isEqualTo(card);
      assertThat(node.monitor().counts().get("http")).containsEntry("200", 2L);
      servlet.destroy();
      assertThat(node.monitor().counts()).doesNotContainKey("http");
    }
  }

  private static String posted(ServicesServlet servlet, String payment) throws Exception {
    MockHttpServletRequest request =
        new MockHttpServletRequest("POST", "/api/services/payments/pay");
    request.setServletPath("/api");
    request.setPathInfo("/services/payments/pay");
    request.setContentType("application/json");
    request.setContent(("[\"ann\"," + payment + "]").getBytes(StandardCharsets.UTF_8));
    MockHttpServletResponse response = new MockHttpServletResponse();
    servlet.service(request, response);
    return response.getContentAsString();
  }
}
