import Bluetooth
import LunaCore
import SafeText
import Testing

@testable import LunaFinder

@Suite struct CommandTests {
  private func runs(_ actions: [FinderAction]) -> [String] {
    actions.compactMap { if case .run(let id, _, _) = $0 { id } else { nil } }
  }

  private func kept(_ actions: [FinderAction]) -> [CommandConfirmation] {
    actions.compactMap { if case .keep(let confirmation) = $0 { confirmation } else { nil } }
  }

  /// A finder that has reported some trackers.
  private func driver(_ numbers: [UInt64] = [1, 2]) -> Driver {
    var driver = Driver()
    driver.place()
    for number in numbers {
      driver.hear(number)
      driver.queue(number, waiting: Int(number))
    }
    return driver
  }

  @Test func carriesOutOneAfterTheOther() throws {
    var driver = driver()
    let requests = [Samples.request("a", [1]), Samples.request("b", [2])]
    let actions = driver.send(.uploaded(requests: requests, progress: 2, waiting: 0))
    #expect(runs(actions) == ["a"])
    for case .run(_, let package, let heard) in actions {
      #expect(package == Samples.package(1))
      #expect(heard.peer == Samples.peer(1))
    }
    driver.hear(2)
    let receipt = [UInt8](repeating: 7, count: 17)
    let next = driver.send(.commandEnded(CommandOutcome(.done, receipt: receipt)))
    let confirmation = try #require(kept(next).first)
    #expect(confirmation.requestID == "a")
    #expect(confirmation.outcome == .done)
    #expect(confirmation.receipt == receipt)
    #expect(confirmation.heid == Samples.heid(1))
    #expect(runs(next) == ["b"])
    // It is told once it is kept.
    #expect(driver.send(.confirmationQueued).contains(.confirm))
  }

  @Test func reportsFailures() throws {
    var driver = driver()
    driver.send(.uploaded(requests: [Samples.request("a", [1])], progress: 2, waiting: 0))
    let outcome = CommandOutcome(.notReached, detail: "out of range")
    let confirmation = try #require(kept(driver.send(.commandEnded(outcome))).first)
    #expect(confirmation.outcome == .notReached)
    #expect(confirmation.receipt == nil)
    #expect(confirmation.detail == "out of range")
  }

  @Test func claimsNoSuccessWithoutAReceipt() throws {
    var driver = driver()
    driver.send(.uploaded(requests: [Samples.request("a", [1])], progress: 2, waiting: 0))
    let odd = CommandOutcome(.done, receipt: [1, 2, 3])
    #expect(try #require(kept(driver.send(.commandEnded(odd))).first).outcome == .failed)
  }

  @Test func waitsForItsTracker() {
    var driver = driver([1])
    driver.tick(31)
    #expect(
      runs(driver.send(.uploaded(requests: [Samples.request("a", [1])], progress: 1, waiting: 0)))
        .isEmpty)
    #expect(runs(driver.hear(1)) == ["a"])
  }

  @Test func takesThePackageOfThePresentPeriod() {
    var driver = driver([3])
    let actions = driver.send(
      .uploaded(requests: [Samples.request("a", [1, 2, 3])], progress: 1, waiting: 0))
    for case .run(_, let package, _) in actions { #expect(package == Samples.package(3)) }
    #expect(runs(actions) == ["a"])
  }

  @Test func givesUpWhatIsNotItsAnyMore() {
    var late = driver([1])
    late.tick(31)
    late.send(.uploaded(requests: [Samples.request("a", [1])], progress: 1, waiting: 0))
    // The lease is over: the backend offers it again, perhaps to another gateway.
    late.tick(150)
    #expect(runs(late.hear(1)).isEmpty)
    #expect(late.machine.commands.isIdle)

    var expired = driver([1])
    let past = Timestamp(microseconds: expired.moment.now.microseconds - 1)
    #expect(
      runs(
        expired.send(
          .uploaded(
            requests: [Samples.request("a", [1], expiresAt: past)], progress: 1, waiting: 0))
      ).isEmpty)
  }

  @Test func aRequestThatIsOfferedTwiceIsCarriedOutOnce() {
    var driver = driver([1])
    let request = Samples.request("a", [1])
    driver.send(.uploaded(requests: [request, request], progress: 1, waiting: 0))
    driver.send(.uploaded(requests: [request], progress: 1, waiting: 0))
    #expect(runs(driver.actions) == ["a"])
    #expect(runs(driver.send(.commandEnded(CommandOutcome(.failed)))).isEmpty)
  }

  /// The answer to an upload may have been on its way when a command ended.
  @Test func passesOverLateOffers() {
    var driver = driver([1])
    let request = Samples.request("a", [1])
    driver.send(.uploaded(requests: [request], progress: 1, waiting: 0))
    driver.send(.commandEnded(CommandOutcome(.done, receipt: [UInt8](repeating: 1, count: 17))))
    #expect(runs(driver.send(.uploaded(requests: [request], progress: 1, waiting: 0))).isEmpty)
    driver.tick(60)
    driver.hear(1)
    #expect(runs(driver.send(.uploaded(requests: [request], progress: 1, waiting: 0))).isEmpty)
  }

  @Test func triesAgainWhatWasNotReached() {
    var driver = driver([1])
    let request = Samples.request("a", [1])
    driver.send(.uploaded(requests: [request], progress: 1, waiting: 0))
    driver.send(.commandEnded(CommandOutcome(.notReached)))
    #expect(runs(driver.send(.uploaded(requests: [request], progress: 1, waiting: 0))).isEmpty)
    driver.tick(35)
    driver.hear(1)
    #expect(runs(driver.send(.uploaded(requests: [request], progress: 1, waiting: 0))) == ["a"])
  }

  @Test func tellsTheRunnerThatItsTrackerIsStillThere() {
    var driver = driver([1, 2])
    driver.send(.uploaded(requests: [Samples.request("a", [1])], progress: 2, waiting: 0))
    #expect(driver.hear(1).contains(.heard(Samples.frame(1))))
    #expect(!driver.hear(2).contains(.heard(Samples.frame(2))))
    driver.send(.commandEnded(CommandOutcome(.failed)))
    #expect(!driver.hear(1).contains(.heard(Samples.frame(1))))
  }
}
