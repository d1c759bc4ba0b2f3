package dev.tempest.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of collections and services alone: the services of the application are hosted, and their
 * clients are beans, but its components are not; import those that the test needs. The cluster is
 * that of {@link AutoConfigureTestCluster}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(TempestTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(TempestTypeExcludeFilter.class)
@AutoConfigureTestCluster
@ImportAutoConfiguration
@SuppressWarnings("exports") // Tests are on the class path, or read Spring's modules themselves.
public @interface TempestTest {
  /** How many nodes there are, from 1 to 16. */
  @AliasFor(annotation = AutoConfigureTestCluster.class, attribute = "nodes")
  int nodes() default 1;

  /** Properties for the environment, as {@code key=value}. */
  String[] properties() default {};

  /** Whether the components of the application are left out, but for {@link #includeFilters}. */
  boolean useDefaultFilters() default true;

  /** Which of its components the test has. */
  Filter[] includeFilters() default {};

  /** Which of its components the test does not have. */
  Filter[] excludeFilters() default {};

  /** Which auto-configurations the test does not have. */
  @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
  Class<?>[] excludeAutoConfiguration() default {};
}
