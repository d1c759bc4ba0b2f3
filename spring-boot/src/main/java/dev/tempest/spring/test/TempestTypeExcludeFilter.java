package dev.tempest.spring.test;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Leaves components out, but for those that the annotation asks for. */
final class TempestTypeExcludeFilter
    extends StandardAnnotationCustomizableTypeExcludeFilter<TempestTest> {
  /** Spring makes one. */
  TempestTypeExcludeFilter(Class<?> testClass) {
    super(testClass);
  }
}
