package dev.tempest.config;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** A service that a node hosts, and how. Immutable; {@link #builder} makes one. */
public final class ServiceConfig {
  static final String NAME_FORM = "[A-Za-z][A-Za-z0-9._-]{0,63}";
  static final String CLASS_FORM = "[A-Za-z_$][\\w$]*(\\.[A-Za-z_$][\\w$]*)*";

  private static final String COLLECTIONS = "collections";
  private static final String VIEWS = "tempest-views";
  private static final Pattern NAME = Pattern.compile(NAME_FORM);
  private static final Pattern CLASS = Pattern.compile(CLASS_FORM);

  private final String name;
  private final String className;
  private final Optional<Path> jar;
  private final ServiceOptions options;
  private final String where;

  private ServiceConfig(Builder builder) {
    this.name = builder.name;
    this.className = builder.className;
    this.jar = builder.jar;
    this.options = builder.options;
    this.where = builder.where;
  }

  /**
   * Begins the configuration of a service.
   *
   * @param name by which front-ends ask for it
   * @param className of its class, with its package
   * @throws IllegalArgumentException if there can be no such service or class
   */
  public static Builder builder(String name, String className) {
    return new Builder(checkName(name), checkClass(className));
  }

  /**
   * The name, if a service can have it.
   *
   * @throws IllegalArgumentException if not, saying what can be
   */
  public static String checkName(String name) {
    if (isReserved(name)) {
      throw new IllegalArgumentException(
          "'" + name + "' is a service of Tempest itself: choose another name");
    }
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "invalid service name '"
              + name
              + "': use a letter, then up to 63 letters, digits, dots, dashes or underscores");
    }
    return name;
  }

  /** Whether a service of Tempest itself has this name. */
  public static boolean isReserved(String name) {
    return name.equals(COLLECTIONS) || name.equals(VIEWS);
  }

  /**
   * The name of a class or package, if it can be one.
   *
   * @throws IllegalArgumentException if not
   */
  public static String checkClass(String className) {
    if (!CLASS.matcher(className).matches()) {
      throw new IllegalArgumentException(
          "'" + className + "' is not the name of a class or package");
    }
    return className;
  }

  /** The name by which front-ends ask for it. */
  public String name() {
    return name;
  }

  /** The name of its class, with its package. */
  public String className() {
    return className;
  }

  /** The jar with the class, if it is not on the class path. */
  public Optional<Path> jar() {
    return jar;
  }

  /** How it is hosted. */
  public ServiceOptions options() {
    return options;
  }

  /** Where its class was written, for messages. */
  public String where() {
    return where;
  }

  /** Gathers what is said of a service. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final String className;
    private Optional<Path> jar = Optional.empty();
    private ServiceOptions options = ServiceOptions.defaults();
    private String where = "configuration in code";

    private Builder(String name, String className) {
      this.name = name;
      this.className = className;
    }

    /** The jar with the class; default: it is on the class path. */
    public Builder jar(Path file) {
      jar = Optional.of(file);
      return this;
    }

    /** How it is hosted; default: {@link ServiceOptions#defaults}. */
    public Builder options(ServiceOptions chosen) {
      options = Objects.requireNonNull(chosen);
      return this;
    }

    /** Where its class was written, for messages; default: in code. */
    public Builder where(String place) {
      where = place;
      return this;
    }

    /** The configuration. */
    public ServiceConfig build() {
      return new ServiceConfig(this);
    }
  }
}
