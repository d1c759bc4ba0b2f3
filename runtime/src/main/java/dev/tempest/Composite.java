package dev.tempest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Requests that are made as one. */
record Composite(List<Request<?>> requests) {
  Composite {
    requests = List.copyOf(requests);
  }

  /** Refuses a request that another front-end made, and one that is given twice. */
  static Composite of(FrontEnd frontEnd, List<? extends Request<?>> requests) {
    Composite composite = new Composite(List.copyOf(requests));
    Set<Request<?>> seen = new HashSet<>();
    for (Request<?> request : composite.requests) {
      if (!request.isOf(frontEnd)) {
        throw new IllegalArgumentException(
            request + " was made by another front-end: make it with this one's request()");
      }
      if (!seen.add(request)) {
        throw new IllegalArgumentException(
            request + " is given twice: make a request of its own for each call");
      }
    }
    return composite;
  }

  boolean isEmpty() {
    return requests.isEmpty();
  }

  List<Invocation<?>> invocations() {
    List<Invocation<?>> invocations = new ArrayList<>(requests.size());
    requests.forEach(request -> invocations.add(request.invocation()));
    return invocations;
  }

  Answers answers(Ending.OfParts endings) {
    Map<Request<?>, Outcome<?>> outcomes = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      Request<?> request = requests.get(i);
      outcomes.put(request, Outcomes.of(endings.parts().get(i), request.invocation()));
    }
    return new Answers(outcomes);
  }
}
