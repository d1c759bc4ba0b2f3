package dev.tempest.spring.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Spring makes one. */
final class TempestTestContextBootstrapper extends TestSliceTestContextBootstrapper<TempestTest> {
  /** With what the annotation says. */
  TempestTestContextBootstrapper() {}
}
