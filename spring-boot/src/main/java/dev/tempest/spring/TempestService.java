package dev.tempest.spring;

import dev.tempest.config.Consistency;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.config.ServiceOptions.Reads;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Hosts a service at the node. Its class implements one interface with methods that are marked
 * {@link dev.tempest.service.Update} or {@link dev.tempest.service.Read}, and has a constructor
 * that takes a {@link dev.tempest.state.State}. A client of it is a bean of that interface:
 *
 * <pre>{@code
 * @TempestService("cart")
 * final class ShoppingCartService implements ShoppingCart { ... }
 *
 * @RestController
 * final class Shop {
 *   Shop(ShoppingCart cart) { ... }
 * }
 * }</pre>
 *
 * <p>The service itself is no bean: it runs on the node's own thread, and takes time and random
 * numbers only from its state. It is found in the packages of the application. What this cannot say
 * {@code services} of {@code tempest.yaml} can.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface TempestService {
  /** The name by which front-ends ask for it, and of the client's bean. */
  String value();

  /** Who orders updates; the same at every node that hosts it. */
  Consistency consistency() default Consistency.EVENTUAL;

  /** Who executes updates; leave empty for the default of the consistency. */
  Execute[] execute() default {};

  /** What reads show; leave empty for the default of the consistency. */
  Reads[] reads() default {};
}
