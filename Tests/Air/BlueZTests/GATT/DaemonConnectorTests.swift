import Bluetooth
import Diagnosis
import LunaTesting
import Testing

@testable import BlueZ

@Suite struct DaemonConnectorTests {
  private static let peer = GATTPeer(BluetoothAddress(value: 0xC000_0000_0001), .random)
  private static let aborted = GATTError(
    .abortedLocally, during: "connect", "bluetoothd says: le-connection-abort-by-local")

  private func connector(limit: Duration = .seconds(20)) -> DaemonConnector {
    DaemonConnector(peer: DaemonConnectorTests.peer, limit: limit)
  }

  /// A connector whose first attempt is under way since 0 s.
  private func connecting(limit: Duration = .seconds(20)) -> DaemonConnector {
    var connector = connector(limit: limit)
    #expect(connector.handle(.start, at: .zero) == [.find, .wake(at: limit)])
    #expect(
      connector.handle(.known, at: .zero) == [
        .tell("attempt 1 to connect to C0:00:00:00:00:01"), .connect, .wake(at: limit),
      ])
    return connector
  }

  private func result(_ actions: [DaemonConnector.Action]) -> GATTError?? {
    for action in actions { if case .finish(let error) = action { return .some(error) } }
    return nil
  }

  @Test func connects() {
    var connector = connecting()
    #expect(connector.handle(.connected(true), at: .seconds(1)) == [])
    #expect(connector.handle(.answered, at: .seconds(1)) == [])
    #expect(
      connector.handle(.resolved(true), at: .seconds(2)) == [
        .readServices, .wake(at: .seconds(20)),
      ])
    #expect(connector.handle(.services(3), at: .seconds(2)) == [.finish(nil)])
    #expect(connector.handle(.timer, at: .seconds(20)) == [])
  }

  @Test func takesAConnectionThatIsThereAlready() {
    var connector = connector()
    _ = connector.handle(.start, at: .zero)
    #expect(connector.handle(.connected(true), at: .zero) == [])
    #expect(connector.handle(.resolved(true), at: .zero) == [])
    #expect(connector.handle(.known, at: .zero).contains(.connect))
    #expect(connector.handle(.answered, at: .zero).contains(.readServices))
  }

  @Test func looksAgainForServicesThatComeAfterTheyAreSaidToBeThere() {
    var connector = connecting()
    _ = connector.handle(.connected(true), at: .zero)
    _ = connector.handle(.answered, at: .zero)
    _ = connector.handle(.resolved(true), at: .zero)
    #expect(connector.handle(.services(0), at: .zero) == [.wake(at: .milliseconds(100))])
    #expect(connector.handle(.timer, at: .milliseconds(50)) == [.wake(at: .milliseconds(100))])
    #expect(connector.handle(.timer, at: .milliseconds(100)).contains(.readServices))
    #expect(connector.handle(.services(1), at: .milliseconds(100)) == [.finish(nil)])
  }

  @Test func believesThatThereAreNoServicesInTheEnd() {
    var connector = connecting()
    _ = connector.handle(.connected(true), at: .zero)
    _ = connector.handle(.answered, at: .zero)
    _ = connector.handle(.resolved(true), at: .zero)
    var now = Duration.zero
    var looks = 1
    while result(connector.handle(.services(0), at: now)) == nil {
      now += .milliseconds(100)
      #expect(connector.handle(.timer, at: now).contains(.readServices))
      looks += 1
    }
    #expect(looks == DaemonConnector.looks)
  }

  @Test func triesAgainAtOnceAndThenWithPauses() {
    var connector = connecting()
    var now = Duration.zero
    var pauses: [Duration] = []
    for _ in 0..<6 {
      let actions = connector.handle(.failed(DaemonConnectorTests.aborted), at: now)
      guard case .wake(let time) = actions.last else {
        Issue.record("\(actions)")
        return
      }
      pauses.append(time - now)
      now = time
      #expect(connector.handle(.timer, at: now).contains(.connect))
    }
    #expect(
      pauses == [
        .zero, .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(2),
      ])
  }

  @Test(arguments: [
    GATTError.Kind.refused, .malformed, .adapterLost, .daemonRestarted,
  ])
  func endsAtOnceWhereAnotherAttemptWouldNotHelp(_ kind: GATTError.Kind) {
    let error = GATTError(kind, during: "connect", "so it is")
    var connector = connecting()
    #expect(connector.handle(.failed(error), at: .seconds(1)) == [.finish(error)])
    #expect(connector.handle(.answered, at: .seconds(1)) == [])
    var finding = self.connector()
    _ = finding.handle(.start, at: .zero)
    #expect(finding.handle(.failed(error), at: .seconds(1)) == [.finish(error)])
  }

  @Test func looksForAPeerThatBluetoothdHasForgotten() {
    var connector = connecting()
    let forgotten = GATTError(.notFound, during: "connect", "bluetoothd says: no such object")
    #expect(connector.handle(.failed(forgotten), at: .seconds(1)).last == .wake(at: .seconds(1)))
    #expect(connector.handle(.timer, at: .seconds(1)).first == .find)
    #expect(connector.handle(.known, at: .seconds(2)).contains(.connect))
    // When it is forgotten again, not at once: that could go on for ever.
    #expect(
      connector.handle(.failed(forgotten), at: .seconds(2)).last
        == .wake(at: .milliseconds(2250)))
  }

  @Test(arguments: [GATTError.Kind.busy, .timedOut])
  func looksAgainForAPeerThatItCouldNotLookFor(_ kind: GATTError.Kind) {
    var connector = connector()
    let error = GATTError(kind, during: "connect", "bluetoothd cannot start a discovery")
    #expect(connector.handle(.start, at: .zero).first == .find)
    #expect(connector.handle(.failed(error), at: .seconds(2)).last == .wake(at: .seconds(2)))
    #expect(connector.handle(.timer, at: .seconds(2)).first == .find)
    #expect(
      connector.handle(.failed(error), at: .seconds(4)).last == .wake(at: .milliseconds(4250)))
    #expect(connector.handle(.timer, at: .milliseconds(4250)).first == .find)
    #expect(connector.handle(.known, at: .seconds(5)).contains(.connect))
  }

  @Test func triesAgainWhenTheConnectionBreaksBeforeTheServicesAreKnown() {
    var connector = connecting()
    _ = connector.handle(.connected(true), at: .seconds(1))
    _ = connector.handle(.answered, at: .seconds(1))
    let actions = connector.handle(.connected(false), at: .seconds(2))
    #expect(actions.last == .wake(at: .seconds(2)))
    #expect(connector.handle(.timer, at: .seconds(2)).contains(.connect))
    // What was resolved belonged to the other connection.
    #expect(connector.handle(.connected(true), at: .seconds(3)) == [])
    #expect(connector.handle(.answered, at: .seconds(3)) == [])
  }

  @Test func doesNotTakeAnAbortBeforeTheAnswerForASecondOne() {
    var connector = connecting()
    _ = connector.handle(.connected(true), at: .seconds(1))
    // bluetoothd tells the end first, and then fails the call.
    #expect(connector.handle(.connected(false), at: .seconds(2)) == [])
    #expect(
      connector.handle(.failed(DaemonConnectorTests.aborted), at: .seconds(2)).last
        == .wake(at: .seconds(2)))
  }

  @Test func saysThatThePeerWasNotHeard() throws {
    var connector = connector(limit: .seconds(3))
    _ = connector.handle(.start, at: .zero)
    let error = try #require(result(connector.handle(.timer, at: .seconds(3))))
    #expect(error?.kind == .outOfRange)
    #expect(error?.reason.contains("was not heard") == true)
  }

  @Test func saysThatThePeerDidNotAnswer() throws {
    var connector = connecting(limit: .seconds(3))
    let error = try #require(result(connector.handle(.timer, at: .seconds(3))))
    #expect(error?.kind == .outOfRange)
    #expect(error?.reason.contains("does not answer") == true)
  }

  @Test func saysWhyTheAttemptsFailed() throws {
    var connector = connecting(limit: .seconds(1))
    _ = connector.handle(.failed(DaemonConnectorTests.aborted), at: .zero)
    _ = connector.handle(.timer, at: .zero)
    let last = GATTError(.abortedByPeer, during: "connect", "it broke")
    _ = connector.handle(.failed(last), at: .milliseconds(900))
    #expect(connector.handle(.timer, at: .seconds(1)) == [.finish(last)])
  }

  @Test func knowsSilenceUnderTheNameOfAnAbort() throws {
    var connector = connecting(limit: .seconds(30))
    _ = connector.handle(.failed(DaemonConnectorTests.aborted), at: .seconds(20))
    _ = connector.handle(.timer, at: .seconds(20))
    _ = connector.handle(.failed(DaemonConnectorTests.aborted), at: .milliseconds(29_900))
    let error = try #require(result(connector.handle(.timer, at: .seconds(30))))
    #expect(error?.kind == .outOfRange)
  }

  @Test func saysThatTheServicesDidNotComeInTime() throws {
    var connector = connecting(limit: .seconds(3))
    _ = connector.handle(.connected(true), at: .seconds(1))
    _ = connector.handle(.answered, at: .seconds(1))
    let error = try #require(result(connector.handle(.timer, at: .seconds(3))))
    #expect(error?.kind == .timedOut)
    #expect(error?.operation == "discover")
  }

  /// Whatever happens in whatever order, the end comes when the limit does, and once.
  @Test func alwaysEndsAtTheLimit() {
    var random = Seeded.drawn()
    for _ in 0..<500 {
      var connector = connector()
      var ends = 0
      var now = Duration.zero
      var events: [String] = []
      func take(_ event: DaemonConnector.Event) {
        events.append("\(event) at \(now)")
        for action in connector.handle(event, at: now) {
          if case .finish = action { ends += 1 }
        }
      }
      take(.start)
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        now += .milliseconds(Int.random(in: 0..<400, using: &random))
        let kinds: [GATTError.Kind] = [
          .notFound, .outOfRange, .busy, .abortedLocally, .abortedByPeer, .timedOut,
        ]
        let error = GATTError(
          kinds.randomElement(using: &random) ?? .busy, during: "connect", "by chance")
        let chosen: [DaemonConnector.Event] = [
          .known, .answered, .connected(true), .connected(false), .resolved(true), .services(0),
          .failed(error), .timer,
        ]
        take(chosen.randomElement(using: &random) ?? .timer)
      }
      now = .seconds(20)
      take(.timer)
      now = .seconds(21)
      take(.timer)
      #expect(ends == 1, "\(events)")
    }
  }
}
