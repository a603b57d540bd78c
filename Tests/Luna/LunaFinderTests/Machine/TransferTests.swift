import Bluetooth
import LunaCore
import Testing

@testable import LunaFinder

@Suite struct TransferTests {
  private func pauses(_ actions: [FinderAction]) -> [Duration] {
    actions.compactMap { if case .retry(_, let pause) = $0 { pause } else { nil } }
  }

  @Test func sendsWhenABatchIsFull() {
    var driver = Driver()
    driver.queue(waiting: 9)
    #expect(Driver.uploads(in: driver.actions).isEmpty)
    driver.queue(waiting: 10)
    #expect(Driver.uploads(in: driver.actions) == [10])
  }

  @Test func sendsWhenAnEventHasWaitedLongEnough() {
    var driver = Driver()
    driver.queue(waiting: 1)
    #expect(Driver.uploads(in: driver.tick(9)).isEmpty)
    #expect(Driver.uploads(in: driver.tick(1)) == [10])
  }

  @Test func hasOneFlightAtATime() {
    var driver = Driver { $0.maximumCacheSize = 2 }
    driver.queue(waiting: 2)
    driver.queue(waiting: 7)
    driver.tick(100)
    #expect(Driver.uploads(in: driver.actions) == [2])
    // The rest goes as soon as the first batch is there.
    let next = driver.send(.uploaded(requests: [], progress: 2, waiting: 5))
    #expect(Driver.uploads(in: next) == [2])
    driver.send(.uploaded(requests: [], progress: 2, waiting: 3))
    #expect(
      Driver.uploads(in: driver.send(.uploaded(requests: [], progress: 2, waiting: 1))).isEmpty)
    #expect(Driver.uploads(in: driver.tick(10)) == [2])
  }

  @Test func sendsAtOnceWhatARunBeforeHasLeft() {
    var driver = Driver()
    #expect(
      Driver.uploads(in: driver.send(.restored(waiting: 3, hasConfirmations: false))) == [10])
  }

  @Test func sendsNothingWithoutABackend() {
    var driver = Driver(uploads: false)
    driver.send(.restored(waiting: 3, hasConfirmations: true))
    driver.queue(waiting: 100)
    driver.tick(100)
    #expect(Driver.uploads(in: driver.actions).isEmpty)
    #expect(!driver.actions.contains(.confirm))
  }

  @Test func waitsLongerAfterEachFailure() throws {
    var driver = Driver()
    driver.queue(waiting: 10)
    var limits: [Duration] = []
    for failure in 0..<12 {
      let error = BackendError(.unreachable, "no route")
      let pause = try #require(pauses(driver.send(.uploadFailed(error, of: [1, 2]))).first)
      let limit = min(.seconds(300), .seconds(1) * (1 << failure))
      #expect(pause >= .zero && pause <= limit, "failure \(failure): \(pause)")
      limits.append(pause)
      // Not before; then at once.
      driver.pass(pause - .milliseconds(1))
      if pause > .milliseconds(1) {
        #expect(Driver.uploads(in: driver.send(.timePassed)).isEmpty)
      }
      driver.pass(.milliseconds(1))
      #expect(Driver.uploads(in: driver.send(.timePassed)) == [10])
    }
    #expect(Set(limits).count > 6, "the jitter is missing")
    // A success forgets it all.
    driver.send(.uploaded(requests: [], progress: 10, waiting: 10))
    let pause = try #require(
      pauses(driver.send(.uploadFailed(BackendError(.unreachable, ""), of: [1, 2]))).first)
    #expect(pause <= .seconds(1))
  }

  @Test func leavesTheBackendAloneAsLongAsItAsks() throws {
    var driver = Driver()
    driver.queue(waiting: 10)
    let error = BackendError(.busy, "busy", status: 503, retryAfter: 120)
    let pause = try #require(pauses(driver.send(.uploadFailed(error, of: [1, 2]))).first)
    #expect(pause >= .seconds(120) && pause <= .seconds(121))
    #expect(Driver.uploads(in: driver.tick(119)).isEmpty)
    #expect(Driver.uploads(in: driver.tick(2)) == [10])
  }

  /// A portal, a proxy that starts, a token in exchange: one refusal says little, many in a row much.
  @Test(arguments: [
    BackendError(.redirected, "elsewhere", status: 307),
    BackendError(.refused, "the token is revoked", status: 401),
    BackendError(.notFound, "no such thing", status: 404),
    BackendError(.untrusted, "another certificate"),
  ])
  func looksNowAndThenWhenSomebodyHasToActFirst(_ error: BackendError) throws {
    var driver = Driver()
    driver.queue(waiting: 10)
    var waited: [Duration] = []
    for failure in 0..<8 {
      let pause = try #require(pauses(driver.send(.uploadFailed(error, of: [1, 2]))).first)
      waited.append(pause)
      if failure < 5 { #expect(pause <= .seconds(1) * (1 << failure)) }
      driver.pass(pause)
      #expect(Driver.uploads(in: driver.send(.timePassed)) == [10])
    }
    #expect(waited[5...].allSatisfy { $0 >= .seconds(150) })
  }

  /// Somebody has signed in again, or put another token into the file.
  @Test(arguments: [BackendError.Kind.refused, .local])
  func goesOnAtOnceWithAnotherCredential(_ kind: BackendError.Kind) {
    var driver = Driver()
    driver.queue(waiting: 10)
    driver.send(.uploadFailed(BackendError(kind, "who?"), of: [1, 2]))
    #expect(Driver.uploads(in: driver.send(.credentialChanged)) == [10])
  }

  @Test(arguments: [
    BackendError(.unreachable, "no route"),
    BackendError(.refused, "not now", status: 403, retryAfter: 60),
  ])
  func waitsWhereAnotherCredentialDoesNotHelp(_ error: BackendError) {
    var driver = Driver()
    driver.queue(waiting: 10)
    driver.send(.uploadFailed(error, of: [1, 2]))
    #expect(Driver.uploads(in: driver.send(.credentialChanged)).isEmpty)
  }

  @Test func doesNotHammerABackendThatTakesNothing() {
    var driver = Driver()
    driver.queue(waiting: 10)
    #expect(
      Driver.uploads(in: driver.send(.uploaded(requests: [], progress: 0, waiting: 10))).isEmpty)
  }

  @Test func confirmsFirst() {
    var driver = Driver()
    let actions = driver.send(.restored(waiting: 20, hasConfirmations: true))
    #expect(actions.contains(.confirm))
    #expect(Driver.uploads(in: actions).isEmpty)
    #expect(driver.send(.confirmed(hasMore: true)).contains(.confirm))
    #expect(Driver.uploads(in: driver.send(.confirmed(hasMore: false))) == [10])
  }

  @Test func waitsWhenTheQueueDoesNotWork() {
    var driver = Driver()
    driver.queue(waiting: 10)
    #expect(Driver.uploads(in: driver.send(.queueFailed)).isEmpty)
    #expect(Driver.uploads(in: driver.tick(2)) == [10])
  }
}
