/**
 * Tests of the repository, claim by claim of what others try with theirs: I is Infinispan's
 * InfinispanSessionRepositoryTCK (17 tests), H is Hazelcast's IndexedSessionRepository and
 * SessionEvent tests (15), J is JdbcIndexedSessionRepositoryITests of Spring Session (37).
 *
 * <pre>
 * TempestSessionRepositoryTest
 *   aNewSessionIsNobodyElsesUntilItIsSaved   I creatingSession, savingNewSession; J saveWhenNoAttributes
 *   savingASessionThatHasNotChanged...       I savingUnchangedSession
 *   attributesAreAddedChangedAndRemoved      I updatedAttributes; H createAndUpdateSession; J saves,
 *                                            putAllOnSingleAttrDoesNotRemoveOld, saveWithLargeAttribute
 *   whatARequestDoesLastToAnAttributeCounts  J saveUpdated: AddAndModify, AddAndRemove, ModifyAndRemove,
 *                                            RemoveAndAdd
 *   whenTheLastRequestWasIsSaved             I updatedLastAccessedTime, updatingTTLOnAccessingData;
 *                                            J updateLastAccessedTime, but for one that had expired:
 *                                            ours has ended, and stays so
 *   aSessionExpiresAfterTheTimeOfAllOrItsOwn I evictingSession, updatedMaxInactiveInterval;
 *                                            J cleanupInactiveSessions: repository's, session's interval
 *   aRequestProlongsASessionAndKeepsItsOwn.. H saveUpdatesTimeToLive, keepingOriginalTimeToLive,
 *                                            keepingTimeToLiveSetOnSession
 *   aDeletedSessionStaysDeleted              I deletingSession; H createAndDestroySession,
 *                                            attemptToUpdateSessionAfterDelete; J saveDeleted,
 *                                            saveDeletedAddAttribute
 *   anotherIdKeepsTheAttributes              I changeSessionId; H, J onlyChangeId,
 *                                            setAttributeOnChangedSession
 *   ofSeveralIdsBetweenTwoSavesTheLastCounts H, J changeTwice
 *   aNewSessionMayChangeItsId                H, J changeSessionIdWhenHasNotSaved
 *   concurrentRequestsLoseNoAttribute...     J saveNewSessionAttributeConcurrently
 *   aSlowRequestThatOnlyReadsUndoesNothing   I concurrentSessionAccess; and the opposite of I
 *                                            saveModeOnGetAttribute, which loses an update
 *   theLastRequestWinsWithAlways             I saveModeAlways, but for what a request has neither
 *                                            read nor set: of that, ours undoes nothing
 *   immediatelyMeansWithoutSave              I flushModeImmediate
 * IndexTest
 *   aSessionIsFoundByItsPrincipalUntilItEnds I extractingPrincipal, wrongIndexName; H findByPrincipal,
 *                                            securityContextAndFindById; J findByPrincipalName,
 *                                            findBySecurityPrincipalName
 *   anIndexFollowsTheAttributeThatItIs...    J NoPrincipalNameChange, DeletedPrincipalName,
 *                                            ChangedPrincipalName, each with Security, with Reload (12)
 *   aSessionThatHasExpiredIsNotFound         J ExpireRemovesIndex, with Security
 * EventsTest
 *   aSessionIsCreatedAndDeletedOnce          H saveSession, deletedSession
 *   aSessionExpiresOnceAndIsNotFoundThen     H expiredSession
 *   aShorterTimeCountsAtOnce                 H updateMaxInactiveInterval
 *   anotherIdIsNoEvent                       H changeSessionIdNoEvent; the opposite of Infinispan's
 *                                            bridge, which tells of each id as of a new session
 * </pre>
 *
 * <p>Nothing of theirs corresponds here to I throwingExceptionOnNullSpringCache (the compiler sees
 * to it), J savesInReadOnlyTransaction (no transactions), and J sessionFromStoreResolvesAttributes
 * Lazily (of the class that it is made of; attributes are decoded where they are read, as {@code
 * SessionsSuite} of {@code sessions} tries).
 *
 * <p>Of the two repositories for Redis, that without indexes throws where a session that has ended
 * is saved; ours does nothing, as H, J and the other one. Both let the first of two ids count that
 * requests give at the same time; with ours the later one does.
 */
package dev.tempest.sessions.spring;
