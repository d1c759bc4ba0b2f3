package dev.tempest.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A service that a node hosts, and how. Immutable; {@link #builder} makes one. */
public final class ServiceConfig {
  static final String NAME_FORM = "[A-Za-z][A-Za-z0-9._-]{0,63}";
  static final String CLASS_FORM = "[A-Za-z_$][\\w$]*(\\.[A-Za-z_$][\\w$]*)*";

  private static final Pattern NAME = Pattern.compile(NAME_FORM);
  private static final Pattern CLASS = Pattern.compile(CLASS_FORM);

  private final String name;
  private final String className;
  private final Optional<Path> jar;
  private final List<String> unchecked;
  private final Reconcile reconcile;
  private final Execute execute;
  private final String where;

  /** What two replicas do that have executed different updates. */
  public enum Reconcile {
    /** Both execute what the other has; no update is lost. */
    MERGE,
    /** One gives up its own updates and takes those of the other. */
    ADOPT
  }

  /** Which replicas execute an update. */
  public enum Execute {
    /** All of them: the service must be deterministic. */
    ALL,
    /** One of them; the others apply what it wrote. */
    ANY
  }

  private ServiceConfig(Builder builder) {
    this.name = builder.name;
    this.className = builder.className;
    this.jar = builder.jar;
    this.unchecked = List.copyOf(builder.unchecked);
    this.reconcile = builder.reconcile;
    this.execute = builder.execute;
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

  static String checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "invalid service name '"
              + name
              + "': use a letter, then up to 63 letters, digits, dots, dashes or underscores");
    }
    return name;
  }

  static String checkClass(String className) {
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

  /**
   * Classes and packages that may use clocks and random numbers of their process, because nothing
   * of it enters the state.
   */
  public List<String> unchecked() {
    return unchecked;
  }

  /** What two replicas do that have executed different updates. */
  public Reconcile reconcile() {
    return reconcile;
  }

  /** Which replicas execute an update. */
  public Execute execute() {
    return execute;
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
    private final List<String> unchecked = new ArrayList<>();
    private Reconcile reconcile = Reconcile.MERGE;
    private Execute execute = Execute.ALL;
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

    /**
     * Adds classes and packages that may use clocks and random numbers of their process, because
     * nothing of it enters the state.
     *
     * @throws IllegalArgumentException if one cannot be the name of either
     */
    public Builder unchecked(String... names) {
      for (String each : names) {
        unchecked.add(checkClass(each));
      }
      return this;
    }

    /** What two replicas do that have executed different updates; default: merge. */
    public Builder reconcile(Reconcile chosen) {
      reconcile = chosen;
      return this;
    }

    /** Which replicas execute an update; default: all. */
    public Builder execute(Execute chosen) {
      execute = chosen;
      return this;
    }

    Builder where(String place) {
      where = place;
      return this;
    }

    /** The configuration. */
    public ServiceConfig build() {
      return new ServiceConfig(this);
    }
  }
}
