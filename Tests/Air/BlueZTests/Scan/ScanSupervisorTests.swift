import Bluetooth
import Testing

@testable import BlueZ

@Suite struct ScanSupervisorTests {
  private static let gone = SourceError(.noAdapter, "hci0 was removed")
  private static let off = SourceError(.off, "hci0 is blocked by rfkill")

  private func supervisor(
    giveUpAfter: Duration? = .seconds(120), silenceLimit: Duration = .seconds(90)
  ) -> ScanSupervisor {
    ScanSupervisor(giveUpAfter: giveUpAfter, silenceLimit: silenceLimit)
  }

  /// A supervisor whose scan has run since 0 s.
  private func running(
    giveUpAfter: Duration? = .seconds(120), silenceLimit: Duration = .seconds(90)
  ) -> ScanSupervisor {
    var supervisor = supervisor(giveUpAfter: giveUpAfter, silenceLimit: silenceLimit)
    #expect(supervisor.handle(.start, at: .zero) == [.open])
    #expect(
      supervisor.handle(.opened, at: .zero)
        == [.tell(.scanning), .wake(at: min(.seconds(30), silenceLimit))])
    return supervisor
  }

  @Test func givesTheFirstErrorToTheCaller() {
    var supervisor = supervisor()
    _ = supervisor.handle(.start, at: .zero)
    #expect(supervisor.handle(.failed(ScanSupervisorTests.off), at: .seconds(1)) == [.close])
    #expect(
      supervisor.handle(.closed, at: .seconds(1)) == [.finish(ScanSupervisorTests.off)])
  }

  @Test func findsAnAdapterThatComesBack() {
    var supervisor = running()
    let fault = ScanSupervisorTests.gone
    #expect(
      supervisor.handle(.fault(fault), at: .seconds(40))
        == [.tell(.recovering(reason: "hci0 was removed")), .close])
    #expect(
      supervisor.handle(.closed, at: .seconds(40))
        == [.tell(.recovering(reason: "hci0 was removed")), .wake(at: .milliseconds(40_500))])
    #expect(supervisor.handle(.timer, at: .milliseconds(40_500)) == [.open])
    #expect(supervisor.handle(.failed(fault), at: .seconds(41)) == [.close])
    #expect(supervisor.handle(.closed, at: .seconds(41)).last == .wake(at: .seconds(42)))
    #expect(supervisor.handle(.timer, at: .seconds(42)) == [.open])
    #expect(supervisor.handle(.opened, at: .seconds(43)).first == .tell(.scanning))
  }

  // MARK: While something else goes on

  @Test func expectsNothingWhileItIsPaused() {
    var supervisor = running()
    #expect(
      supervisor.handle(.paused("a connection"), at: .seconds(10))
        == [.tell(.recovering(reason: "a connection"))])
    #expect(supervisor.handle(.timer, at: .seconds(30)) == [.wake(at: .seconds(120))])
    #expect(supervisor.handle(.timer, at: .seconds(500)) == [.wake(at: .seconds(590))])
    // From here on reports are expected soon.
    #expect(
      supervisor.handle(.resumed, at: .seconds(510)) == [
        .tell(.scanning), .wake(at: .seconds(515)),
      ])
    #expect(supervisor.handle(.resumed, at: .seconds(511)) == [])
    var silent = supervisor
    #expect(silent.handle(.timer, at: .seconds(515)).last == .close)
    #expect(supervisor.handle(.heard, at: .seconds(512)) == [])
    #expect(supervisor.handle(.timer, at: .seconds(515)) == [.wake(at: .seconds(602))])
  }

  @Test func startsAnewWhateverItIsPausedFor() {
    var supervisor = running()
    _ = supervisor.handle(.paused("a connection"), at: .seconds(10))
    let fault = ScanSupervisorTests.gone
    #expect(supervisor.handle(.fault(fault), at: .seconds(11)).last == .close)
    #expect(supervisor.handle(.closed, at: .seconds(11)).last == .wake(at: .milliseconds(11_500)))
    _ = supervisor.handle(.timer, at: .milliseconds(11_500))
    #expect(supervisor.handle(.opened, at: .seconds(12)).first == .tell(.scanning))
    #expect(supervisor.handle(.resumed, at: .seconds(13)) == [])
    #expect(supervisor.handle(.timer, at: .seconds(102)).last == .close)
  }

  // MARK: After a connection

  @Test func isContentWhenReportsComeAfterAConnection() {
    var supervisor = running()
    #expect(supervisor.handle(.interrupted, at: .seconds(10)) == [.wake(at: .seconds(15))])
    #expect(supervisor.handle(.heard, at: .seconds(12)) == [])
    #expect(supervisor.handle(.timer, at: .seconds(15)) == [.wake(at: .seconds(30))])
  }

  @Test func startsAnewWhenNothingIsHeardAfterAConnection() {
    var supervisor = running()
    _ = supervisor.handle(.heard, at: .seconds(9))
    _ = supervisor.handle(.interrupted, at: .seconds(10))
    // It was heard before the connection had ended.
    _ = supervisor.handle(.heard, at: .milliseconds(9900))
    #expect(
      supervisor.handle(.timer, at: .seconds(15)) == [
        .tell(.recovering(reason: "nothing was heard after a connection had ended")), .close,
      ])
    // Without a pause, and once: the place may be silent.
    #expect(supervisor.handle(.closed, at: .seconds(16)) == [.wake(at: .seconds(16))])
    #expect(supervisor.handle(.timer, at: .seconds(16)) == [.open])
    _ = supervisor.handle(.opened, at: .seconds(17))
    #expect(supervisor.handle(.timer, at: .seconds(22)) == [.wake(at: .seconds(47))])
  }

  @Test func doesNotMindConnectionsWhileItIsBroughtBack() {
    var supervisor = running()
    _ = supervisor.handle(.fault(ScanSupervisorTests.gone), at: .seconds(40))
    #expect(supervisor.handle(.interrupted, at: .seconds(41)) == [])
  }

  /// The waits between attempts that all fail, until the supervisor gives up.
  private func waits(_ supervisor: inout ScanSupervisor, _ error: SourceError) -> (
    [Duration], SourceError?
  ) {
    var now = Duration.seconds(100)
    var waits: [Duration] = []
    _ = supervisor.handle(.fault(error), at: now)
    while waits.count < 1000 {
      for action in supervisor.handle(.closed, at: now) {
        if case .wake(let time) = action {
          waits.append(time - now)
          now = time
        }
        if case .finish(let error) = action { return (waits, error) }
      }
      #expect(supervisor.handle(.timer, at: now) == [.open])
      #expect(supervisor.handle(.failed(error), at: now) == [.close])
    }
    return (waits, nil)
  }

  @Test func waitsLongerAndLongerAndGivesUp() {
    var supervisor = running(giveUpAfter: .seconds(60))
    let (waits, error) = waits(&supervisor, ScanSupervisorTests.gone)
    #expect(
      waits.prefix(6) == [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5),
      ])
    #expect(waits.reduce(.zero, +) >= .seconds(60))
    #expect(waits.reduce(.zero, +) < .seconds(66))
    #expect(error?.kind == .lost)
    #expect(error?.reason.contains("hci0 was removed") == true)
    #expect(supervisor.handle(.timer, at: .seconds(1000)) == [])
  }

  @Test func neverGivesUpWhenToldSo() {
    var supervisor = running(giveUpAfter: nil)
    #expect(waits(&supervisor, ScanSupervisorTests.off).0.count == 1000)
  }

  @Test(arguments: [SourceError.Kind.noPermission, .invalid])
  func doesNotRepeatWhatCannotWork(_ kind: SourceError.Kind) {
    var supervisor = running()
    let (waits, error) = waits(&supervisor, SourceError(kind, "no"))
    #expect(waits.isEmpty)
    #expect(error?.kind == kind)
  }

  @Test func tellsTheStateLostBeforeTheEnd() {
    var supervisor = running()
    _ = supervisor.handle(.fault(SourceError(.noPermission, "no")), at: .seconds(1))
    #expect(
      supervisor.handle(.closed, at: .seconds(1))
        == [.tell(.lost(reason: "no")), .finish(SourceError(.noPermission, "no"))])
  }

  @Test func forgetsTheTroubleOnceReportsCome() {
    var supervisor = running(giveUpAfter: .seconds(10))
    for round in 1...5 {
      let now = Duration.seconds(100 * round)
      _ = supervisor.handle(.fault(ScanSupervisorTests.gone), at: now)
      // The wait is the first one each time.
      #expect(supervisor.handle(.closed, at: now).last == .wake(at: now + .milliseconds(500)))
      _ = supervisor.handle(.timer, at: now + .seconds(1))
      _ = supervisor.handle(.opened, at: now + .seconds(1))
      #expect(supervisor.handle(.heard, at: now + .seconds(2)) == [])
    }
  }

  @Test func givesUpAScanThatOnlySeemsToStart() {
    var supervisor = running(giveUpAfter: .seconds(20))
    var now = Duration.seconds(100)
    var ended = false
    for _ in 0..<50 where !ended {
      _ = supervisor.handle(.fault(ScanSupervisorTests.gone), at: now)
      for action in supervisor.handle(.closed, at: now) {
        if case .wake(let time) = action { now = time }
        if case .finish(let error) = action { ended = error?.kind == .lost }
      }
      if ended { break }
      _ = supervisor.handle(.timer, at: now)
      _ = supervisor.handle(.opened, at: now)
      now += .milliseconds(100)
    }
    #expect(ended)
  }

  @Test func startsASilentScanAnew() {
    var supervisor = running(silenceLimit: .seconds(90))
    #expect(supervisor.handle(.timer, at: .seconds(30)) == [.wake(at: .seconds(90))])
    _ = supervisor.handle(.heard, at: .seconds(80))
    #expect(supervisor.handle(.timer, at: .seconds(90)) == [.wake(at: .seconds(170))])
    #expect(
      supervisor.handle(.timer, at: .seconds(170))
        == [.tell(.recovering(reason: "nothing was heard for 90 s")), .close])
    #expect(supervisor.handle(.closed, at: .seconds(170)) == [.wake(at: .seconds(170))])
    #expect(supervisor.handle(.timer, at: .seconds(170)) == [.open])
    #expect(supervisor.handle(.opened, at: .seconds(171)).first == .tell(.scanning))
  }

  @Test func leavesASilentPlaceAloneMoreAndMore() {
    var supervisor = running(silenceLimit: .seconds(10))
    var restarts: [Duration] = []
    var now = Duration.zero
    var wake: Duration? = .seconds(10)
    while let time = wake, now < .seconds(2000) {
      now = time
      wake = nil
      for action in supervisor.handle(.timer, at: now) {
        switch action {
        case .wake(let time): wake = time
        case .close:
          restarts.append(now)
          _ = supervisor.handle(.closed, at: now)
          _ = supervisor.handle(.timer, at: now)
          for action in supervisor.handle(.opened, at: now) {
            if case .wake(let time) = action { wake = time }
          }
        default: break
        }
      }
    }
    let gaps = zip(restarts.dropFirst(), restarts).map { $0 - $1 }
    #expect(
      gaps.prefix(5) == [
        .seconds(20), .seconds(40), .seconds(80), .seconds(160), .seconds(160),
      ])
  }

  @Test func stopsInEveryPhase() {
    var idle = supervisor()
    #expect(idle.handle(.stop, at: .zero) == [.finish(nil)])

    var opening = supervisor()
    _ = opening.handle(.start, at: .zero)
    #expect(opening.handle(.stop, at: .zero) == [])
    #expect(opening.handle(.opened, at: .zero) == [.close])
    #expect(opening.handle(.closed, at: .zero) == [.finish(nil)])

    var scanning = running()
    #expect(scanning.handle(.stop, at: .seconds(1)) == [.close])
    #expect(scanning.handle(.fault(ScanSupervisorTests.gone), at: .seconds(1)) == [])
    #expect(scanning.handle(.closed, at: .seconds(1)) == [.finish(nil)])
    #expect(scanning.handle(.stop, at: .seconds(2)) == [])

    var waiting = running()
    _ = waiting.handle(.fault(ScanSupervisorTests.gone), at: .seconds(1))
    _ = waiting.handle(.closed, at: .seconds(1))
    #expect(waiting.handle(.stop, at: .seconds(1)) == [.finish(nil)])

    var closing = running()
    _ = closing.handle(.fault(ScanSupervisorTests.gone), at: .seconds(1))
    #expect(closing.handle(.stop, at: .seconds(1)) == [])
    #expect(closing.handle(.closed, at: .seconds(1)) == [.finish(nil)])
  }
}
