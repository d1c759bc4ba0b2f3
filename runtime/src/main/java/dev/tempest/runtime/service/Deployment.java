package dev.tempest.runtime.service;

import dev.tempest.protocol.order.Order;
import dev.tempest.service.ServiceInstance;

/**
 * A service that a node is to host.
 *
 * @param name by which front-ends ask for it
 * @param service only the node's event loop calls it from now on
 * @param order how its replicas are kept alike
 */
public record Deployment(String name, ServiceInstance service, Order order) {}
