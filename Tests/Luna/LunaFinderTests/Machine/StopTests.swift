import LunaCore
import Testing

@testable import LunaFinder

@Suite struct StopTests {
  @Test func endsAtOnceWhenNothingWaits() {
    var driver = Driver()
    #expect(driver.send(.stop).last == .finished)
    #expect(driver.send(.timePassed).isEmpty)
  }

  @Test func bringsAwayWhatWaits() {
    var driver = Driver()
    driver.queue(waiting: 3)
    let actions = driver.send(.stop)
    #expect(Driver.uploads(in: actions) == [10])
    #expect(!actions.contains(.finished))
    #expect(driver.send(.uploaded(requests: [], progress: 3, waiting: 0)).last == .finished)
  }

  @Test func endsAfterOneFailure() {
    var driver = Driver()
    driver.queue(waiting: 3)
    driver.send(.stop)
    let actions = driver.send(.uploadFailed(BackendError(.unreachable, "no route"), of: [1, 2]))
    #expect(actions.last == .finished)
  }

  @Test func endsInTime() {
    var driver = Driver()
    driver.queue(waiting: 3)
    driver.send(.stop)
    #expect(!driver.tick(9).contains(.finished))
    #expect(driver.tick(1).last == .finished)
  }

  @Test func doesNotDisturbABackendThatWantsToBeLeftAlone() {
    var driver = Driver()
    driver.queue(waiting: 10)
    driver.send(
      .uploadFailed(BackendError(.busy, "busy", status: 429, retryAfter: 60), of: [1, 2]))
    let actions = driver.send(.stop)
    #expect(Driver.uploads(in: actions).isEmpty)
    #expect(actions.last == .finished)
  }

  /// What it asked for once says nothing of a pause that the finder makes by itself, later.
  @Test func triesOnceMoreWhenItIsNotAskedToWaitAnyMore() {
    var driver = Driver()
    driver.queue(waiting: 10)
    driver.send(
      .uploadFailed(BackendError(.busy, "busy", status: 429, retryAfter: 60), of: [1, 2]))
    #expect(Driver.uploads(in: driver.tick(62)) == [10])
    // It takes none, for now.
    driver.send(.uploaded(requests: [], progress: 0, waiting: 10))
    #expect(Driver.uploads(in: driver.send(.stop)) == [10])
  }

  @Test func waitsForTheEndOfACommandAndConfirmsIt() {
    var driver = Driver()
    driver.place()
    driver.hear()
    driver.queue(waiting: 1)
    driver.send(.uploaded(requests: [Samples.request("a", [1])], progress: 1, waiting: 0))
    #expect(!driver.send(.stop).contains(.finished))
    // It was cancelled.
    #expect(!driver.send(.commandEnded(CommandOutcome(.notReached))).contains(.finished))
    #expect(driver.send(.confirmationQueued).last == .confirm)
    #expect(driver.send(.confirmed(hasMore: false)).last == .finished)
  }

  @Test func startsNoNewCommands() {
    var driver = Driver()
    driver.place()
    driver.hear()
    driver.queue(waiting: 1)
    driver.send(.stop)
    let actions = driver.send(
      .uploaded(requests: [Samples.request("a", [1])], progress: 1, waiting: 0))
    #expect(actions.last == .finished)
    #expect(!actions.contains { if case .run = $0 { true } else { false } })
  }
}
