package dev.tempest.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.spring.notes.Likes;
import dev.tempest.spring.wrong.WithoutInterface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** A service that cannot be hosted is refused, and the error says why. */
@Timeout(60)
final class ServiceBeansTest {
  @AutoConfigurationPackage(basePackageClasses = WithoutInterface.class)
  static class Wrong {}

  @Test
  void aServiceHasAnInterface() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(TempestAutoConfiguration.class))
        .withUserConfiguration(Wrong.class)
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasStackTraceContaining(
                    "dev.tempest.spring.wrong.WithoutInterface must implement one interface with"
                        + " methods marked @Update or @Read, not 0"));
  }

  @AutoConfigurationPackage(basePackageClasses = Likes.class)
  static class Notes {}

  /** Others would wait for a replica that is not there. */
  @Test
  void aLazyApplicationHostsItsServices() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(TempestAutoConfiguration.class))
        .withUserConfiguration(Notes.class)
        .withInitializer(context ->
            context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
        .withPropertyValues(
            "tempest.cluster=lazy-" + ProcessHandle.current().pid(), "tempest.listen=127.0.0.1")
        .run(context -> {
          Object node = context.getBeanFactory().getSingleton("tempestNode");
          assertThat(node)
              .isInstanceOfSatisfying(
                  Node.class, each -> assertThat(each.services()).containsOnlyKeys("likes"));
        });
  }

  /** As the build of a native image or of a cache for a faster start does. */
  @Test
  void beansAreProcessedAheadOfTime() {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.register(Notes.class, TempestAutoConfiguration.class);
    var generated =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get(Notes.class)), new InMemoryGeneratedFiles());
    new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
    assertThat(context.getBeanFactory().getBeanDefinition("likes").getBeanClassName())
        .isEqualTo(ServiceClient.class.getName());
  }
}
