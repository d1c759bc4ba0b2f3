package dev.tempest.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.ConfigException;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServiceClassesTest {
  /** What a service is asked. */
  public interface Greeting {
    @Update
    String greet(String name);
  }

  /** A service without state. */
  public static final class GreetingService implements Greeting {
    /** Needs no state. */
    public GreetingService(State state) {
      Objects.requireNonNull(state);
    }

    @Override
    public String greet(String name) {
      return "Hello " + name;
    }
  }

  /** Gives something else at every replica. */
  public static final class ClockedService implements Greeting {
    /** Needs no state. */
    public ClockedService(State state) {
      Objects.requireNonNull(state);
    }

    @Override
    public String greet(String name) {
      return name + System.nanoTime();
    }
  }

  /** Cannot be constructed by a server. */
  public static final class WithoutConstructor implements Greeting {
    /** Takes something else than a state. */
    public WithoutConstructor(String name) {
      Objects.requireNonNull(name);
    }

    @Override
    public String greet(String name) {
      return name;
    }
  }

  /** Is no service; what it would do as one is nobody's concern. */
  public static final class WithoutApi {
    /** Needs no state. */
    public WithoutApi(State state) {
      Objects.requireNonNull(state);
    }

    /** Not the same in each process. */
    public long now() {
      return System.nanoTime();
    }
  }

  @Test
  void hostsAClassWithinAnotherByItsNameInCode() {
    String name = Objects.requireNonNull(GreetingService.class.getCanonicalName());
    assertThat(load(name, Optional.empty()))
        .extracting(Deployment::name)
        .containsExactly("greeting");
  }

  @Test
  void hostsAClassOfTheClassPath() {
    assertThat(load(GreetingService.class.getName(), Optional.empty()))
        .extracting(Deployment::name)
        .containsExactly("greeting");
  }

  @Test
  void hostsAClassOfAJar(@TempDir Path folder) throws IOException {
    Path jar = folder.resolve("greeting.jar");
    String entry = GreetingService.class.getName().replace('.', '/') + ".class";
    try (var out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream bytes = getClass().getClassLoader().getResourceAsStream(entry)) {
      out.putNextEntry(new JarEntry(entry));
      Objects.requireNonNull(bytes).transferTo(out);
    }
    assertThat(load(GreetingService.class.getName(), Optional.of(jar)))
        .extracting(Deployment::name)
        .containsExactly("greeting");
  }

  @Test
  void refusesAClassThatTakesTimeFromItsProcess() {
    String clocked = ClockedService.class.getName();
    assertThatThrownBy(() -> load(clocked, Optional.empty()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "the service 'greeting' would come to another state at every replica:\n  "
                + clocked
                + ".greet (ServiceClassesTest.java:")
        .hasMessageContaining(
            ") calls System.nanoTime: take the request's time, state.action().now()")
        .hasMessageContaining(". Correct the code; ");
  }

  @Test
  void hostsItIfTheConfigurationSaysThatItIsUnchecked() {
    String clocked = ClockedService.class.getName();
    assertThat(
            ServiceClasses.load(
                List.of(
                    ServiceConfig.builder("greeting", clocked)
                        .options(ServiceOptions.builder().unchecked("com.example", clocked).build())
                        .build())))
        .extracting(Deployment::name)
        .containsExactly("greeting");
  }

  @Test
  void hostsItIfOneServerExecutesEachUpdate() {
    String clocked = ClockedService.class.getName();
    assertThat(
            ServiceClasses.load(
                List.of(
                    ServiceConfig.builder("greeting", clocked)
                        .options(ServiceOptions.builder().execute(Execute.ANY).build())
                        .build())))
        .extracting(Deployment::name)
        .containsExactly("greeting");
  }

  @Test
  void saysWhatIsWrongWithAClass() {
    refuses("com.example.Nowhere", "class com.example.Nowhere not found on the class path");
    refuses(WithoutConstructor.class.getName(), "has no public constructor with a State");
    refuses(
        WithoutApi.class.getName(), "implements 0 interfaces with methods marked @Update or @Read");
  }

  private static void refuses(String className, String what) {
    assertThatThrownBy(() -> load(className, Optional.empty()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(what)
        .hasMessageStartingWith("configuration in code: ");
  }

  private static List<Deployment> load(String className, Optional<Path> jar) {
    ServiceConfig.Builder service = ServiceConfig.builder("greeting", className);
    jar.ifPresent(service::jar);
    return ServiceClasses.load(List.of(service.build()));
  }
}
