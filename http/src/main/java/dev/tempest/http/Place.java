package dev.tempest.http;

import java.util.List;

/**
 * What a server writes on the whiteboard of itself.
 *
 * @param url where callers reach it, without a slash at the end; empty if nobody has said so
 * @param services what it hosts, and can answer for
 * @param load how many requests it had under way
 */
record Place(String url, List<String> services, int load) {}
