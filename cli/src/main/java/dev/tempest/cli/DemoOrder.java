package dev.tempest.cli;

/** What decides in which order the orders of the demo count. */
enum DemoOrder {
  /** Their time: the default of services. */
  TIME,
  /** A log on which a majority of the servers agrees. */
  CONSENSUS
}
