package dev.tempest.bench.load;

/** A client process's work: puts one system under load and measures it. */
@FunctionalInterface
public interface Load {
  /** Runs one plan, returns once all its requests have ended. */
  Sample run(LoadPlan plan) throws Exception;
}
