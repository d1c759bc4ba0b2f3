package dev.tempest.jcache;

import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** Keeps the node of this process from leaving between the tests of the TCK, which takes time. */
@SuppressWarnings("exports") // JUnit calls it.
public final class NodeOfTheTck implements TestExecutionListener {
  private @Nullable CacheManager manager;

  /** For {@link java.util.ServiceLoader}. */
  public NodeOfTheTck() {}

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    manager = new TempestCachingProvider().getCacheManager();
    manager.createCache("kept", new MutableConfiguration<>());
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (manager != null) {
      manager.close();
    }
  }
}
