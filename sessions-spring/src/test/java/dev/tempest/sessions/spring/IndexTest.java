package dev.tempest.sessions.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;

import dev.tempest.sessions.AttributeCodec;
import dev.tempest.sessions.SessionLimitException;
import dev.tempest.sessions.UnreadableAttributeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.session.DelegatingIndexResolver;
import org.springframework.session.PrincipalNameIndexResolver;
import org.springframework.session.Session;
import org.springframework.session.SingleIndexResolver;
import org.springframework.session.security.SpringSessionBackedSessionRegistry;

/** Sessions are found by their principal, and by other indexes of an application. */
final class IndexTest extends TwoInstances {
  private static final String SECURITY = "SPRING_SECURITY_CONTEXT";

  private static SecurityContext contextOf(String name) {
    return new SecurityContextImpl(
        UsernamePasswordAuthenticationToken.authenticated(
            name, "password", AuthorityUtils.createAuthorityList("ROLE_USER")));
  }

  private static Object principal(String attribute, String name) {
    return attribute.equals(SECURITY) ? contextOf(name) : name;
  }

  private static Set<String> idsOf(TempestSessionRepository at, String principal) {
    return at.findByPrincipalName(principal).keySet();
  }

  @ParameterizedTest
  @ValueSource(strings = {SECURITY, "PRINCIPAL_NAME"})
  void aSessionIsFoundByItsPrincipalUntilItEnds(String kind) {
    String attribute = kind.equals(SECURITY) ? SECURITY : PRINCIPAL_NAME_INDEX_NAME;
    TempestSession session = saved(attribute, principal(attribute, "alice"));
    saved(attribute, principal(attribute, "bob"));
    assertThat(idsOf(one, "alice")).containsExactly(session.getId());
    eventually(() -> idsOf(other, "alice").equals(Set.of(session.getId())));
    assertThat(idsOf(one, "carol")).isEmpty();
    assertThat(one.findByIndexNameAndIndexValue("tenant", "alice")).isEmpty();
    assertThat(one.findByIndexNameAndIndexValue(PRINCIPAL_NAME_INDEX_NAME, null)).isEmpty();
    assertThat(one.findByIndexNameAndIndexValue(null, "alice")).isEmpty();
    one.deleteById(session.getId());
    assertThat(idsOf(one, "alice")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {SECURITY, "PRINCIPAL_NAME"})
  void anIndexFollowsTheAttributeThatItIsMadeOf(String kind) {
    String attribute = kind.equals(SECURITY) ? SECURITY : PRINCIPAL_NAME_INDEX_NAME;
    TempestSession session = saved(attribute, principal(attribute, "alice"));
    session.setAttribute("other", "value");
    one.save(session);
    assertThat(idsOf(one, "alice")).containsExactly(session.getId());
    TempestSession request = atOther(session.getId());
    request.setAttribute("another", "value");
    other.save(request);
    assertThat(idsOf(other, "alice")).containsExactly(session.getId());
    request.setAttribute(attribute, principal(attribute, "bob"));
    other.save(request);
    assertThat(idsOf(other, "alice")).isEmpty();
    assertThat(idsOf(other, "bob")).containsExactly(session.getId());
    request = atOther(session.getId());
    request.removeAttribute(attribute);
    other.save(request);
    assertThat(idsOf(other, "bob")).isEmpty();
    eventually(() -> idsOf(one, "alice").isEmpty() && idsOf(one, "bob").isEmpty());
  }

  @Test
  void aSessionIsFoundByItsNewId() {
    TempestSession session = saved(SECURITY, contextOf("alice"));
    String after = session.changeSessionId();
    one.save(session);
    assertThat(idsOf(one, "alice")).containsExactly(after);
  }

  @Test
  void aSessionThatHasExpiredIsNotFound() {
    open(config -> config.touchEvery(Duration.ZERO));
    TempestSession session = saved(SECURITY, contextOf("alice"));
    session.setLastAccessedTime(Instant.now().minus(Duration.ofMinutes(30)));
    one.save(session);
    eventually(() -> idsOf(one, "alice").isEmpty() && idsOf(other, "alice").isEmpty());
  }

  @Test
  void anApplicationHasIndexesOfItsOwn() {
    one.setIndexResolver(
        new DelegatingIndexResolver<>(
            new PrincipalNameIndexResolver<>(),
            new SingleIndexResolver<>("tenant") {
              @Override
              public @Nullable String resolveIndexValueFor(Session session) {
                return session.getAttribute("tenant");
              }
            }));
    TempestSession session = saved("tenant", "acme");
    session.setAttribute(SECURITY, contextOf("alice"));
    one.save(session);
    assertThat(one.findByIndexNameAndIndexValue("tenant", "acme")).containsKey(session.getId());
    assertThat(idsOf(one, "alice")).containsExactly(session.getId());
    session.removeAttribute("tenant");
    one.save(session);
    assertThat(one.findByIndexNameAndIndexValue("tenant", "acme")).isEmpty();
    assertThat(idsOf(one, "alice")).containsExactly(session.getId());
  }

  /** As at a process with another release of Spring Security. */
  @Test
  void anIndexStaysWhereItsAttributeCannotBeRead() {
    TempestSession session = saved(SECURITY, contextOf("alice"));
    open(config -> config.codec(new WithoutSecurity()));
    TempestSession request = atOther(session.getId());
    assertThat(request.<Object>getAttribute(SECURITY)).isNull();
    request.setAttribute("other", "value");
    other.save(request);
    assertThat(idsOf(other, "alice")).containsExactly(session.getId());
    open(config -> config);
    assertThat(atOther(session.getId()).<Object>getAttribute(SECURITY))
        .isEqualTo(contextOf("alice"));
  }

  @Test
  void springSecurityLimitsAndEndsTheSessionsOfAPrincipal() {
    TempestSession session = saved(SECURITY, contextOf("alice"));
    var registry = new SpringSessionBackedSessionRegistry<>(other);
    eventually(() -> !registry.getAllSessions("alice", false).isEmpty());
    assertThat(registry.getAllSessions("alice", false))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.getSessionId()).isEqualTo(session.getId());
          assertThat(each.getPrincipal()).isEqualTo("alice");
          each.expireNow();
        });
    assertThat(registry.getAllSessions("alice", false)).isEmpty();
    assertThat(registry.getAllSessions("alice", true)).hasSize(1);
    var here = new SpringSessionBackedSessionRegistry<>(one);
    eventually(() -> {
      var found = here.getSessionInformation(session.getId());
      return found != null && found.isExpired();
    });
  }

  /** Else its sessions could not be counted, or ended. */
  @Test
  void aSessionThatCouldNotBeFoundByItsPrincipalIsNotSaved() {
    TempestSession session = one.createSession();
    session.setAttribute(PRINCIPAL_NAME_INDEX_NAME, "a".repeat(1_025));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> one.save(session))
          .isInstanceOf(SessionLimitException.class)
          .hasMessageContaining("PRINCIPAL_NAME_INDEX_NAME has at most 1,024 characters");
    }
    assertThat(one.findById(session.getId())).isNull();
    String halfAPair = "\uD834";
    session.setAttribute(PRINCIPAL_NAME_INDEX_NAME, halfAPair);
    one.save(session);
    assertThat(idsOf(one, halfAPair)).containsExactly(session.getId());
  }

  private static final class WithoutSecurity implements AttributeCodec {
    private final AttributeCodec codec =
        AttributeCodec.javaSerialization(WithoutSecurity.class.getClassLoader());

    @Override
    public byte[] encode(Object value) {
      return codec.encode(value);
    }

    @Override
    public Object decode(byte[] bytes) throws UnreadableAttributeException {
      Object value = codec.decode(bytes);
      if (value instanceof SecurityContext) {
        throw new UnreadableAttributeException("needs a class that is not here", new Exception());
      }
      return value;
    }
  }

  @Test
  void whatAResolverDoesToASessionIsRefused() {
    one.setIndexResolver(session -> {
      session.setAttribute("a", "b");
      return Map.of();
    });
    TempestSession session = one.createSession();
    session.setAttribute("x", "y");
    assertThatThrownBy(() -> one.save(session)).isInstanceOf(UnsupportedOperationException.class);
  }
}
