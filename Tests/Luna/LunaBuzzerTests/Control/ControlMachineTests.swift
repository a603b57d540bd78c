import Bluetooth
import Diagnosis
import LunaProtocol
import Testing

@testable import LunaBuzzer

struct ControlMachineTests {
  private static let peer = GATTPeer(BluetoothAddress(value: 0xC0FF_EE00_0001), .random)
  private let limits = BuzzerLimits()

  private static func frame(
    _ heid: HEID? = nil, connectable: Bool? = true, onboardable: Bool = false
  ) -> HeardTarget {
    HeardTarget(peer, isConnectable: connectable, heid: heid, isOnboardable: onboardable)
  }

  private static func challenge() -> [UInt8] {
    let encoded = ControlChallenge(
      nonce: InlineArray(repeating: 7), clockHint: 1_700_000_000
    ).encoded
    return encoded.indices.map { encoded[$0] }
  }

  /// A machine for the anchor's package that has written it.
  private func written(_ request: ControlRequest) throws -> ControlMachine {
    var machine = ControlMachine(request, limits: limits)
    let package = try Samples.deferred(period: 1_660_156)
    _ = machine.handle(.heard(Self.frame(package.heid)), at: .zero)
    _ = machine.handle(.connected(hasControl: true, hasChallenge: true), at: .seconds(1))
    let next = machine.handle(.subscribed, at: .seconds(1))
    if case .readChallenge = next {
      _ = machine.handle(.challenge(Self.challenge()), at: .seconds(1))
      _ = machine.handle(.package(package), at: .seconds(1))
    }
    #expect(machine.handle(.written, at: .seconds(1)) == .receive(within: limits.answer))
    return machine
  }

  private func outcome(
    _ machine: inout ControlMachine, _ event: ControlEvent, at time: Duration = .seconds(2)
  ) -> ControlAction.Outcome? {
    guard machine.handle(event, at: time) == .disconnect,
      case .finish(let outcome) = machine.handle(.disconnected, at: time)
    else { return nil }
    return outcome
  }

  @Test func takesTheStepsOfAPackage() throws {
    let package = try Samples.deferred(period: 1_660_156)
    var machine = ControlMachine(.deferred([package]), limits: limits)
    #expect(machine.start() == .listen)
    #expect(machine.handle(.silence, at: .seconds(3)) == .listen)
    #expect(
      machine.handle(.heard(Self.frame(package.heid, connectable: false)), at: .seconds(4))
        == .listen)
    #expect(
      machine.handle(.heard(Self.frame(package.heid)), at: .seconds(5))
        == .connect(Self.peer, within: .seconds(8)))
    #expect(
      machine.handle(.connected(hasControl: true, hasChallenge: false), at: .seconds(6))
        == .subscribe)
    #expect(machine.handle(.subscribed, at: .seconds(6)) == .write(package))
  }

  @Test func takesTheStepsOfACommand() throws {
    let package = try Samples.deferred(period: 1)
    var machine = ControlMachine(.interactive(.blink, argument: 5), limits: limits)
    // Whether it accepts connections is not always heard.
    #expect(
      machine.handle(.heard(Self.frame(connectable: nil)), at: .seconds(145))
        == .connect(Self.peer, within: .seconds(5)), "no longer than there is time")
    _ = machine.handle(.connected(hasControl: true, hasChallenge: true), at: .seconds(146))
    #expect(machine.handle(.subscribed, at: .seconds(146)) == .readChallenge)
    let bytes = Self.challenge()
    let parsed = ControlChallenge(bytes.span)
    let challenge = try #require(parsed)
    #expect(
      machine.handle(.challenge(Self.challenge()), at: .seconds(146))
        == .makePackage(.blink, argument: 5, challenge))
    #expect(machine.handle(.package(package), at: .seconds(146)) == .write(package))
  }

  @Test func choosesThePackageOfTheFrame() throws {
    let packages = try (1_660_150...1_660_160).map { try Samples.deferred(period: $0) }
    var machine = ControlMachine(.deferred(packages), limits: limits)
    _ = machine.handle(.heard(Self.frame(packages[4].heid)), at: .zero)
    _ = machine.handle(.connected(hasControl: true, hasChallenge: true), at: .zero)
    #expect(machine.handle(.subscribed, at: .zero) == .write(packages[4]))
  }

  @Test func refusesPackagesForOthers() throws {
    let mine = try Samples.deferred(period: 1_660_156)
    let other = try Samples.deferred(period: 1_660_156, key: Samples.otherKey)
    var machine = ControlMachine(.deferred([other]), limits: limits)
    #expect(machine.handle(.heard(Self.frame(nil)), at: .zero) == .listen, "no frame of a Luna yet")
    let error = try #require(machine.handle(.heard(Self.frame(mine.heid)), at: .zero).failure)
    #expect(error.kind == .noMatchingPackage)
    #expect(error.reason.contains(mine.heid.description))
  }

  @Test func refusesATrackerWithoutOwner() throws {
    var machine = ControlMachine(.interactive(.ping, argument: 0), limits: limits)
    let error = try #require(
      machine.handle(
        .heard(Self.frame(onboardable: true)), at: .zero
      ).failure)
    #expect(error.kind == .unsupported)
  }

  @Test(arguments: [(false, false), (false, true), (true, false)])
  func refusesADeviceWithoutTheService(hasControl: Bool, hasChallenge: Bool) throws {
    var machine = ControlMachine(.interactive(.ping, argument: 0), limits: limits)
    _ = machine.handle(.heard(Self.frame()), at: .zero)
    let outcome = outcome(
      &machine, .connected(hasControl: hasControl, hasChallenge: hasChallenge))
    let error = try #require(outcome?.failure)
    #expect(error.kind == .notOffered)
  }

  @Test(arguments: [0, 19, 21]) func refusesAWrongChallenge(count: Int) throws {
    var machine = ControlMachine(.interactive(.ping, argument: 0), limits: limits)
    _ = machine.handle(.heard(Self.frame()), at: .zero)
    _ = machine.handle(.connected(hasControl: true, hasChallenge: true), at: .zero)
    _ = machine.handle(.subscribed, at: .zero)
    let outcome = outcome(&machine, .challenge([UInt8](repeating: 0, count: count)))
    let error = try #require(outcome?.failure)
    #expect(error.kind == .malformed)
  }

  @Test func givesUpWhatWasNeverHeard() throws {
    var machine = ControlMachine(.interactive(.ping, argument: 0), limits: limits)
    #expect(machine.handle(.silence, at: .seconds(59)) == .listen)
    let error = try #require(machine.handle(.silence, at: .seconds(60)).failure)
    #expect(error.kind == .notHeard)
  }

  @Test func givesUpWhatNeverAcceptsConnections() throws {
    var machine = ControlMachine(.interactive(.ping, argument: 0), limits: limits)
    for second in 0..<150 {
      #expect(
        machine.handle(.heard(Self.frame(connectable: false)), at: .seconds(second)) == .listen)
    }
    let last = machine.handle(.heard(Self.frame(connectable: true)), at: .seconds(150))
    let error = try #require(last.failure)
    #expect(error.kind == .notConnectable)
  }

  @Test func triesAgainWithGrowingPauses() throws {
    var machine = ControlMachine(.interactive(.ping, argument: 0), limits: limits)
    var pauses: [Duration] = []
    for second in 0..<7 {
      _ = machine.handle(.heard(Self.frame()), at: .seconds(second))
      let error = GATTError(.abortedLocally, during: "connect", "le-connection-abort-by-local")
      switch machine.handle(.failed(error), at: .seconds(second)) {
      case .listen: pauses.append(.zero)
      case .pause(let pause):
        pauses.append(pause)
        #expect(machine.handle(.paused, at: .seconds(second)) == .listen)
      default: Issue.record("neither again nor a pause")
      }
    }
    #expect(
      pauses == [.zero, .milliseconds(500), .seconds(1), .seconds(2)]
        + .init(repeating: .seconds(4), count: 3))
  }

  @Test func tellsTheLastFailureWhenTimeIsOver() throws {
    var machine = ControlMachine(.interactive(.ping, argument: 0), limits: limits)
    _ = machine.handle(.heard(Self.frame()), at: .seconds(140))
    let error = GATTError(.outOfRange, during: "connect", "no answer to the attempts")
    let failure = try #require(machine.handle(.failed(error), at: .seconds(155)).failure)
    #expect(failure.kind == .unreachable)
    #expect(failure.reason.contains("no answer to the attempts"))
  }

  @Test(arguments: [
    (GATTError.Kind.adapterLost, BuzzerError.Kind.adapter), (.refused, .unreachable),
    (.malformed, .malformed),
  ])
  func givesUpWhereAgainWouldNotHelp(kind: GATTError.Kind, expected: BuzzerError.Kind) throws {
    var machine = ControlMachine(.interactive(.ping, argument: 0), limits: limits)
    _ = machine.handle(.heard(Self.frame()), at: .zero)
    let outcome = outcome(&machine, .failed(GATTError(kind, during: "connect", "because")))
    let error = try #require(outcome?.failure)
    #expect(error.kind == expected)
  }

  @Test func takesAVerifiedAnswer() throws {
    var machine = try written(.interactive(.buzzStart, argument: 5))
    let judgement = ControlJudgement.verified(try receipt(0))
    let done = outcome(&machine, .answered([0], judgement))
    #expect(done == .done(try Samples.deferred(period: 1_660_156), [0], judgement))
  }

  /// A receipt with a status, as only a tracker can make it.
  private func receipt(_ status: UInt8) throws -> Receipt {
    var authenticator = try ControlAuthenticator()
    let package = try Samples.deferred(period: 1_660_156)
    let bytes = try authenticator.receipt(
      for: package, status: ControlStatus(rawValue: status) ?? .done, clock: 1, keys: Samples.keys()
    )
    return try authenticator.verify(bytes.span, for: package, keys: Samples.keys())
  }

  @Test(arguments: [
    (UInt8(1), BuzzerError.Kind.unauthorized), (2, .stale), (3, .wrongPeriod), (4, .unsupported),
    (6, .limited), (7, .refused), (8, .refused), (255, .refused),
  ])
  func namesEveryStatus(status: UInt8, kind: BuzzerError.Kind) throws {
    for isVerified in [true, false] where !isVerified || status <= 7 {
      var machine = try written(.deferred([try Samples.deferred(period: 1_660_156)]))
      let judgement: ControlJudgement =
        isVerified ? .verified(try receipt(status)) : .short(status: status)
      let outcome = outcome(&machine, .answered([status, 0, 0, 0, 0], judgement))
      let error = try #require(outcome?.failure)
      #expect(error.kind == kind)
      #expect(error.isVerified == isVerified)
      #expect(error.reason.contains("unauthenticated") == !isVerified)
      #expect(error.receipt == [status, 0, 0, 0, 0])
    }
  }

  @Test func believesNoShortSuccess() throws {
    var machine = try written(.deferred([try Samples.deferred(period: 1_660_156)]))
    let outcome = outcome(&machine, .answered([0, 0, 0, 0, 0], .short(status: 0)))
    let error = try #require(outcome?.failure)
    #expect(error.kind == .refused)
  }

  @Test(arguments: [
    (ControlJudgement.forged, BuzzerError.Kind.forged), (.malformed, .malformed),
  ])
  func believesNoForgery(judgement: ControlJudgement, kind: BuzzerError.Kind) throws {
    var machine = try written(.interactive(.buzzStart, argument: 5))
    let outcome = outcome(&machine, .answered([0, 1], judgement))
    let error = try #require(outcome?.failure)
    #expect(error.kind == kind)
  }

  @Test func asksABusyTrackerAgain() throws {
    var machine = try written(.interactive(.buzzStart, argument: 5))
    #expect(
      machine.handle(.answered([5], .verified(try receipt(5))), at: .seconds(2)) == .disconnect)
    #expect(machine.handle(.disconnected, at: .seconds(2)) == .pause(ControlMachine.busyPause))
    #expect(machine.handle(.paused, at: .seconds(4)) == .listen)
    let error = try #require(machine.handle(.silence, at: .seconds(71)).failure)
    #expect(error.kind == .busy)
  }

  @Test func triesAnotherChallengeOnce() throws {
    var machine = try written(.interactive(.buzzStart, argument: 5))
    let answer = ControlEvent.answered([1, 0, 0, 0, 0], .short(status: 1))
    #expect(machine.handle(answer, at: .seconds(2)) == .disconnect)
    #expect(machine.handle(.disconnected, at: .seconds(2)) == .listen)
    _ = machine.handle(.heard(Self.frame()), at: .seconds(3))
    _ = machine.handle(.connected(hasControl: true, hasChallenge: true), at: .seconds(3))
    _ = machine.handle(.subscribed, at: .seconds(3))
    _ = machine.handle(.challenge(Self.challenge()), at: .seconds(3))
    _ = machine.handle(.package(try Samples.deferred(period: 1)), at: .seconds(3))
    _ = machine.handle(.written, at: .seconds(3))
    let error = try #require(outcome(&machine, answer)?.failure)
    #expect(error.kind == .unauthorized)
  }

  @Test func knowsThatALostAnswerMayHaveBeenOne() throws {
    let package = try Samples.deferred(period: 1_660_156)
    var machine = try written(.deferred([package]))
    let lost = GATTError(.abortedByPeer, during: "indication", "gone")
    #expect(machine.handle(.failed(lost), at: .seconds(2)) == .disconnect)
    #expect(machine.handle(.disconnected, at: .seconds(2)) == .listen, "at once")
    _ = machine.handle(.heard(Self.frame(package.heid)), at: .seconds(2))
    _ = machine.handle(.connected(hasControl: true, hasChallenge: true), at: .seconds(3))
    #expect(machine.handle(.subscribed, at: .seconds(3)) == .write(package), "the same package")
    _ = machine.handle(.written, at: .seconds(3))
    let outcome = outcome(&machine, .answered([2], .verified(try receipt(2))))
    let error = try #require(outcome?.failure)
    #expect(error.kind == .alreadyExecuted)
    #expect(error.reason.contains("already"))
  }

  @Test func doesNotResetTwice() throws {
    var machine = try written(.interactive(.factoryReset, argument: 0))
    let lost = GATTError(.timedOut, during: "indication", "nothing came")
    let error = try #require(outcome(&machine, .failed(lost))?.failure)
    #expect(error.kind == .noAnswer)
    #expect(error.remedy?.description.contains("LunaLocal") == true)
  }

  @Test func stopsAtEveryStep() throws {
    let package = try Samples.deferred(period: 1_660_156)
    let events: [ControlEvent] = [
      .heard(Self.frame(package.heid)), .connected(hasControl: true, hasChallenge: true),
      .subscribed, .challenge(Self.challenge()), .package(package), .written,
    ]
    for count in 0...events.count {
      var machine = ControlMachine(.interactive(.buzzStart, argument: 5), limits: limits)
      for event in events.prefix(count) { _ = machine.handle(event, at: .seconds(1)) }
      var action = machine.handle(.stop, at: .seconds(2))
      if count >= 2 {
        #expect(action == .disconnect, "a connection is not left behind")
        action = machine.handle(.disconnected, at: .seconds(2))
      }
      #expect(action == .finish(.failed(.stopped)), "after \(count) events")
    }
  }
}
