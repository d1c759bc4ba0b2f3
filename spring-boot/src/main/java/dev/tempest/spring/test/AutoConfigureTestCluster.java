package dev.tempest.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Gives a test, such as one with {@code @SpringBootTest}, a cluster of its own: nodes in this
 * process, on free ports of the loopback address, which nobody else joins. What {@code
 * tempest.yaml} and {@code tempest.*} say of the cluster, of addresses and of checkpoints does not
 * apply; all else does, and no write waits for more nodes than there are. {@link TestCluster} has
 * the nodes.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("spring.test.tempest")
@SuppressWarnings("exports") // Tests are on the class path, or read Spring's modules themselves.
public @interface AutoConfigureTestCluster {
  /** How many nodes there are, from 1 to 16; services that are kept by a primary need 3. */
  int nodes() default 1;
}
