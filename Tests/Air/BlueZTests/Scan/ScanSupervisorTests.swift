import Bluetooth
import Diagnosis
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

  /// What is to be done, without what is told of the steps.
  private func deeds(_ actions: [ScanSupervisor.Action]) -> [ScanSupervisor.Action] {
    actions.filter { if case .tell(.recovery) = $0 { false } else { true } }
  }

  /// What is told of the steps.
  private func steps(_ actions: [ScanSupervisor.Action]) -> [RecoveryStep] {
    actions.compactMap { if case .tell(.recovery(let step)) = $0 { step } else { nil } }
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
    let actions = supervisor.handle(.closed, at: .seconds(40))
    #expect(
      deeds(actions)
        == [.tell(.recovering(reason: "hci0 was removed")), .wake(at: .milliseconds(40_500))])
    #expect(steps(actions).map(\.outcome) == [.waiting] && !steps(actions)[0].isOff)
    #expect(supervisor.handle(.timer, at: .milliseconds(40_500)) == [.open])
    #expect(supervisor.handle(.failed(fault), at: .seconds(41)) == [.close])
    #expect(supervisor.handle(.closed, at: .seconds(41)).last == .wake(at: .seconds(42)))
    #expect(supervisor.handle(.timer, at: .seconds(42)) == [.open])
    #expect(supervisor.handle(.opened, at: .seconds(43)).first == .tell(.scanning))
  }

  @Test func expectsNothingWhileItIsPaused() {
    var supervisor = running()
    #expect(
      supervisor.handle(.paused("a connection"), at: .seconds(10))
        == [.tell(.recovering(reason: "a connection"))])
    // Why is said again; who hears it is not told each time.
    let again = ScanSupervisor.Action.tell(.recovering(reason: "a connection"))
    #expect(supervisor.handle(.timer, at: .seconds(30)) == [again, .wake(at: .seconds(120))])
    #expect(supervisor.handle(.timer, at: .seconds(500)) == [again, .wake(at: .seconds(590))])
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
      var actions = supervisor.handle(.closed, at: now)
      if case .take? = actions.last { actions = supervisor.handle(.taken(nil), at: now) }
      for action in actions {
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
        .milliseconds(500), .seconds(1), .seconds(2), .milliseconds(300), .seconds(2), .seconds(2),
      ])
    #expect(waits.last == .seconds(5))
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
      #expect(
        steps(supervisor.handle(.heard, at: now + .seconds(2))).map(\.outcome) == [.recovered])
    }
  }

  @Test func givesUpAScanThatOnlySeemsToStart() {
    var supervisor = running(giveUpAfter: .seconds(20))
    var now = Duration.seconds(100)
    var ended = false
    for _ in 0..<50 where !ended {
      _ = supervisor.handle(.fault(ScanSupervisorTests.gone), at: now)
      var actions = supervisor.handle(.closed, at: now)
      if case .take? = actions.last { actions = supervisor.handle(.taken(nil), at: now) }
      for action in actions {
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
    let actions = supervisor.handle(.opened, at: .seconds(171))
    #expect(deeds(actions).first == .tell(.scanning))
    #expect(steps(actions).map(\.kind) == [.scan])
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
          if case .take? = supervisor.handle(.closed, at: now).last {
            _ = supervisor.handle(.taken(nil), at: now)
          }
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

  /// A place where something comes every five minutes would be given most of an hour.
  @Test func givesASignInTimeHoweverRarelySomethingIsHeard() {
    var supervisor = running(silenceLimit: .seconds(30))
    supervisor.usualGap = .seconds(300)
    supervisor.silenceLimit = .seconds(3000)
    _ = supervisor.handle(.heard, at: .seconds(40))
    _ = supervisor.handle(.timer, at: .seconds(90))
    let actions = supervisor.handle(.timer, at: .seconds(40) + ScanSupervisor.longest)
    #expect(actions.last == .close)
  }

  /// A supervisor in a place where something is heard every second, whose adapter falls silent at 40 s.
  private func silent() -> ScanSupervisor {
    var supervisor = running(silenceLimit: .seconds(30))
    supervisor.name("hci3")
    supervisor.usualGap = .seconds(1)
    _ = supervisor.handle(.heard, at: .seconds(40))
    return supervisor
  }

  /// Lets time pass until so many steps are told; each is done at once and brings nothing, or is refused.
  private func climb(
    _ supervisor: inout ScanSupervisor, _ count: Int, without impossible: RecoveryStep.Kind...
  ) -> [(RecoveryStep, Duration)] {
    var told: [(RecoveryStep, Duration)] = []
    var now = Duration.seconds(41)
    var actions = supervisor.handle(.timer, at: now)
    for _ in 0..<10_000 where told.count < count {
      var next: [ScanSupervisor.Action] = []
      for action in actions {
        switch action {
        case .open: next += supervisor.handle(.opened, at: now)
        case .close: next += supervisor.handle(.closed, at: now)
        case .take(let step):
          next += supervisor.handle(
            .taken(impossible.contains(step) ? StepProblem("no") : nil), at: now)
        case .wake(let time):
          now = time
          next += supervisor.handle(.timer, at: now)
        case .tell(.recovery(let step)): told.append((step, now))
        case .tell, .finish, .rest, .goOn: break
        }
      }
      actions = next
    }
    return told
  }

  @Test func climbsQuicklyWhereSomethingIsHeardOften() {
    var supervisor = silent()
    let told = climb(&supervisor, 6)
    #expect(told.map(\.0.kind) == [.scan, .power, .interface, .usb, .scan, .scan])
    #expect(told.map(\.0.outcome) == [.done, .done, .done, .done, .done, .quiet])
    #expect(told.map(\.0.attempt) == [1, 2, 3, 4, 5, 5])
    #expect(told.allSatisfy { $0.0.adapter == "hci3" })
    #expect(told.first?.0.reason == "nothing was heard for 30 s")
    // Noticed after 30 s, and all was tried within another 30.
    #expect(told.first?.1 == .seconds(70))
    #expect(told[3].1 < .seconds(90))
  }

  @Test func tellsNoStepAsDoneThatWasNotPossible() {
    var supervisor = silent()
    let told = climb(&supervisor, 6, without: .usb)
    #expect(told.map(\.0.kind) == [.scan, .power, .interface, .usb, .scan, .scan])
    #expect(told.map(\.0.outcome) == [.done, .done, .done, .failed, .done, .quiet])
  }

  /// A reset brings an adapter back blocked; where there was none, somebody has blocked it.
  @Test func takesNoBlockBackForAResetThatWasNotPossible() {
    var supervisor = silent()
    let now = climb(&supervisor, 4, without: .usb).last?.1 ?? .zero
    _ = supervisor.handle(.opened, at: now)
    supervisor.isBlocked = true
    _ = supervisor.handle(.fault(ScanSupervisorTests.off), at: now + .seconds(1))
    let actions = supervisor.handle(.closed, at: now + .seconds(1))
    #expect(steps(actions).map(\.kind) == [.wait] && actions.last != .take(.rfkill))
  }

  @Test func noticesASilenceAfterHours() {
    var traffic = TrafficWatch(minimum: .seconds(30))
    var supervisor = running(silenceLimit: .seconds(30))
    let end = 6 * 3600
    for second in 1...end {
      traffic.heard(at: .seconds(second))
      guard second.isMultiple(of: 30) else { continue }
      supervisor.silenceLimit = traffic.limit
      supervisor.usualGap = traffic.usualGap
      #expect(supervisor.handle(.heard, at: .seconds(second)) == [])
      #expect(supervisor.handle(.timer, at: .seconds(second)) == [.wake(at: .seconds(second + 30))])
    }
    #expect(
      supervisor.handle(.timer, at: .seconds(end + 30))
        == [.tell(.recovering(reason: "nothing was heard for 30 s")), .close])
  }

  @Test func leavesAQuietPlaceAlone() {
    var supervisor = silent()
    let told = climb(&supervisor, 40)
    let hours = (told.last?.1 ?? .zero) / .seconds(3600)
    let cycles = told.count { $0.0.kind == .power }
    #expect(hours > 2)
    #expect(cycles <= 10)
    #expect(told.count { $0.0.outcome == .quiet } == 1)
  }

  @Test func tellsThatItHears() {
    var supervisor = silent()
    let last = climb(&supervisor, 2).last?.1 ?? .zero
    _ = supervisor.handle(.timer, at: last + .seconds(1))
    _ = supervisor.handle(.opened, at: last + .seconds(1))
    let told = steps(supervisor.handle(.heard, at: .seconds(80)))
    #expect(told.map(\.outcome) == [.recovered])
    #expect(told.first?.kind == .power && told.first?.attempt == 2)
    #expect(told.first?.duration == .seconds(10))
    #expect(steps(supervisor.handle(.heard, at: .seconds(81))) == [])
  }

  @Test func tellsWhyAStepFails() {
    var supervisor = running()
    supervisor.name("hci0")
    let fault = SourceError(.lost, "the controller is stuck")
    _ = supervisor.handle(.fault(fault), at: .seconds(40))
    _ = supervisor.handle(.closed, at: .seconds(40))
    _ = supervisor.handle(.timer, at: .seconds(41))
    #expect(
      steps(supervisor.handle(.failed(SourceError(.lost, "refused")), at: .seconds(41))) == [
        RecoveryStep(adapter: "hci0", kind: .scan, outcome: .failed, reason: "refused", attempt: 1)
      ])
    #expect(supervisor.handle(.closed, at: .seconds(41)).last == .take(.power))
    // One that was begun may have helped, or may be needed no more.
    var begun = supervisor
    let problem = StepProblem("it does not come on", hasBegun: true)
    var actions = begun.handle(.taken(problem), at: .seconds(42))
    #expect(steps(actions).map(\.reason) == ["it does not come on"])
    #expect(actions.last == .wake(at: .seconds(42)))
    // What was not begun is no reason to look: the next one is taken at once.
    actions = supervisor.handle(.taken(StepProblem("it has 1 connection")), at: .seconds(42))
    #expect(steps(actions).map(\.reason) == ["it has 1 connection"])
    #expect(actions.last == .take(.interface))
    actions = supervisor.handle(.taken(StepProblem("it still has")), at: .seconds(42))
    #expect(actions.last == .take(.usb))
    // Nothing is left but the scan, which waits for nothing.
    actions = supervisor.handle(.taken(StepProblem("it has no USB")), at: .seconds(42))
    #expect(steps(actions).map(\.reason) == ["it has no USB"])
    #expect(actions.last == .wake(at: .seconds(42)))
    #expect(supervisor.handle(.timer, at: .seconds(42)) == [.open])
  }

  @Test func takesNoRefusedStepForOneThatWasTaken() {
    var supervisor = silent()
    let told = climb(&supervisor, 6, without: .power, .interface, .usb)
    #expect(told.map(\.0.kind) == [.scan, .power, .interface, .usb, .scan, .scan])
    #expect(told.map(\.0.outcome) == [.done, .failed, .failed, .failed, .done, .quiet])
    #expect(told.map(\.0.wasTaken) == [true, false, false, false, true, false])
    // All at once, and each is named where the place is taken for quiet.
    #expect(told[1].1 == told[3].1)
    let reason = told[5].0.reason
    #expect(
      ["switching it off and on (no)", "taking the interface down and up (no)", "USB device (no)"]
        .allSatisfy { reason.contains($0) })
    // That it hears again is not due to one of them.
    let now = told[5].1
    _ = supervisor.handle(.timer, at: now)
    _ = supervisor.handle(.opened, at: now)
    let last = steps(supervisor.handle(.heard, at: now + .seconds(1)))
    #expect(last.map(\.outcome) == [.recovered] && last.map(\.kind) == [.scan])
  }

  @Test func tellsOnceWhatIsRefusedAgainAndAgain() {
    var supervisor = silent()
    let told = climb(&supervisor, 12, without: .power, .interface, .usb)
    #expect(told.count { $0.0.outcome == .failed } == 3)
  }

  /// It has left nothing off: that was a person.
  @Test func switchesNothingOnAfterStepsThatWereRefused() {
    var supervisor = silent()
    let now = climb(&supervisor, 4, without: .power, .interface, .usb).last?.1 ?? .zero
    _ = supervisor.handle(.opened, at: now)
    _ = supervisor.handle(.fault(ScanSupervisorTests.off), at: now + .seconds(1))
    let actions = supervisor.handle(.closed, at: now + .seconds(1))
    #expect(steps(actions).map(\.kind) == [.wait] && actions.last != .take(.power))
  }

  @Test func doesNotClimbForAFaultOfAScanThatRan() {
    var supervisor = running()
    for round in 1...5 {
      let now = Duration.seconds(10 * round)
      _ = supervisor.handle(.fault(SourceError(.lost, "bluetoothd was started")), at: now)
      #expect(
        supervisor.handle(.closed, at: now).contains { if case .take = $0 { true } else { false } }
          == false)
      _ = supervisor.handle(.timer, at: now + .seconds(5))
      _ = supervisor.handle(.opened, at: now + .seconds(5))
    }
  }

  @Test func followsWhatAPersonHasSwitchedOffForEver() {
    var supervisor = running(giveUpAfter: .seconds(60))
    supervisor.isBlocked = true
    var now = Duration.seconds(40)
    var actions = supervisor.handle(.fault(ScanSupervisorTests.off), at: now)
    var told: [RecoveryStep] = []
    for _ in 0..<1000 {
      actions = supervisor.handle(.closed, at: now)
      told += steps(actions)
      now += .seconds(5)
      #expect(supervisor.handle(.timer, at: now) == [.open])
      told += steps(supervisor.handle(.failed(ScanSupervisorTests.off), at: now))
    }
    #expect(told.map(\.kind) == [.wait] && told.map(\.outcome) == [.waiting])
    #expect(told.map(\.isOff) == [true])
    _ = supervisor.handle(.closed, at: now)
    _ = supervisor.handle(.timer, at: now)
    #expect(deeds(supervisor.handle(.opened, at: now)).first == .tell(.scanning))
    #expect(steps(supervisor.handle(.heard, at: now)).map(\.outcome) == [.recovered])
  }

  @Test func doesNotGiveUpWhileOthersDeliver() {
    var supervisor = running(giveUpAfter: .seconds(60))
    supervisor.othersDeliver = true
    #expect(waits(&supervisor, ScanSupervisorTests.gone).1 == nil)
  }

  @Test func followsAnAdapterThatWasNeverThere() {
    var supervisor = ScanSupervisor(
      giveUpAfter: nil, silenceLimit: .seconds(30), hasRun: true)
    #expect(supervisor.handle(.start, at: .zero) == [.open])
    #expect(supervisor.handle(.failed(ScanSupervisorTests.gone), at: .zero) == [.close])
    let actions = supervisor.handle(.closed, at: .zero)
    #expect(steps(actions).map(\.outcome) == [.waiting])
    #expect(actions.last == .wake(at: .milliseconds(500)))
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
