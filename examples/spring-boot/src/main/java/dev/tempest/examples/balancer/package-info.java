/** What stands before the instances of an application. */
@NullMarked
package dev.tempest.examples.balancer;

import org.jspecify.annotations.NullMarked;
