import Bluetooth
import Testing

@testable import BlueZ

@Suite struct RecoveryLadderTests {
  private typealias Trouble = RecoveryLadder.Trouble

  /// The next steps in the same trouble, one every five seconds.
  private func steps(
    _ ladder: inout RecoveryLadder, _ trouble: Trouble, _ count: Int, from start: Duration = .zero
  ) -> [RecoveryStep.Kind] {
    (0..<count).map { ladder.next(trouble, at: start + .seconds(5 * $0)) }
  }

  @Test(arguments: [Trouble.stopped, .silent])
  fileprivate func climbsFromWhatDisturbsLeast(_ trouble: RecoveryLadder.Trouble) {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    #expect(steps(&ladder, trouble, 4) == [.scan, .power, .interface, .usb])
    #expect(!ladder.isExhausted && ladder.attempt == 4)
    #expect(steps(&ladder, trouble, 3, from: .seconds(20)) == [.scan, .scan, .scan])
    #expect(ladder.isExhausted)
  }

  @Test func beginsAnewOnceAllWasWell() {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    _ = steps(&ladder, .stopped, 3)
    ladder.recovered()
    #expect(ladder.attempt == 0)
    #expect(steps(&ladder, .stopped, 2, from: .seconds(60)) == [.scan, .power])
  }

  @Test func doesNotResetWhatItHasNot() {
    var exclusive = RecoveryLadder(RecoveryLadder.exclusive)
    #expect(steps(&exclusive, .stopped, 3) == [.scan, .usb, .scan])
    var controller = RecoveryLadder(RecoveryLadder.controller)
    #expect(Set(steps(&controller, .stopped, 100)) == [.scan])
  }

  /// Seconds between the power cycles of a ladder that is climbed in vain for three days.
  private func cycles(_ trouble: Trouble) -> [Int] {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    var times: [Int] = []
    for second in stride(from: 0, to: 3 * 86_400, by: 5)
    where ladder.next(trouble, at: .seconds(second)) == .power {
      times.append(second)
    }
    return zip(times.dropFirst(), times).map { $0 - $1 }
  }

  @Test func restsLongerAndLonger() {
    let stopped = cycles(.stopped)
    #expect(stopped.prefix(5).map { $0 / 60 } == [5, 10, 20, 40, 60])
    #expect(stopped.allSatisfy { $0 <= 3700 })
    // A quiet place is left alone: a handful of times in three days.
    #expect(cycles(.silent).count <= 10)
  }

  /// Seconds between the power cycles of a ladder that is climbed for a day, in which these steps are refused.
  private func cycles(_ trouble: Trouble, refused: Set<RecoveryStep.Kind>) -> [Int] {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    var times: [Int] = []
    for second in stride(from: 0, to: 86_400, by: 5) {
      let step = ladder.next(trouble, at: .seconds(second))
      if refused.contains(step) { ladder.refused(step) } else { ladder.ended(step, worked: true) }
      if step == .power { times.append(second) }
    }
    return zip(times.dropFirst(), times).map { $0 - $1 }
  }

  @Test(arguments: [Trouble.stopped, .silent])
  fileprivate func takesNothingForTriedThatWasRefused(_ trouble: RecoveryLadder.Trouble) {
    // Nothing was done, and perhaps it may be done soon: whoever is connected goes.
    let refused = cycles(trouble, refused: [.power, .interface, .usb])
    #expect(refused.count > 200 && refused.allSatisfy { $0 <= 330 })
    // An adapter that is not connected by USB is left alone as others are.
    #expect(cycles(trouble, refused: [.usb]) == cycles(trouble, refused: []))
  }

  @Test func leavesAPlaceAloneWhoseSilencesEndByThemselves() {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    var cycles = 0
    // Somebody passes every twenty minutes, for three days.
    for visit in 0..<(3 * 72) {
      for look in 0..<100 where look < 8 || !ladder.isExhausted {
        let step = ladder.next(.silent, at: .seconds(1200 * visit + 30 + 5 * look))
        if step == .power { cycles += 1 }
      }
      ladder.recovered()
    }
    #expect(cycles <= 11)
    // What cannot be started is another matter.
    #expect(steps(&ladder, .stopped, 2, from: .seconds(260_000)) == [.scan, .power])
  }

  @Test func doesNotTakeAFaultForAQuietPlace() {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    // An adapter that is deaf every hour and hears again when it was switched off and on.
    for hour in 1...50 {
      #expect(steps(&ladder, .silent, 2, from: .seconds(3600 * hour)) == [.scan, .power])
      ladder.recovered()
    }
  }

  @Test func triesLittleWhereNothingWasEverHeard() {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    #expect(ladder.next(.silent, knowsTraffic: false, at: .seconds(30)) == .scan)
    #expect(ladder.next(.silent, knowsTraffic: false, at: .seconds(90)) == .scan)
    #expect(ladder.next(.silent, knowsTraffic: false, at: .seconds(95)) == .power)
  }

  @Test(arguments: [true, false])
  func leavesAloneWhatAPersonHasSwitchedOff(isBlocked: Bool) {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    let steps = steps(&ladder, .off(isBlocked: isBlocked), 1000)
    #expect(Set(steps) == [.wait])
  }

  @Test func takesBackABlockThatCameWithAReset() {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    #expect(steps(&ladder, .stopped, 4).last == .usb)
    ladder.ended(.usb, worked: true)
    #expect(ladder.next(.off(isBlocked: true), at: .seconds(21)) == .rfkill)
    // Off without a block: the kernel brings it back so.
    #expect(ladder.next(.off(isBlocked: false), at: .seconds(22)) == .power)
    // Whoever does it again means it.
    #expect(ladder.next(.off(isBlocked: true), at: .seconds(23)) == .wait)
    #expect(ladder.next(.off(isBlocked: false), at: .seconds(24)) == .wait)
  }

  @Test func switchesOnAgainWhatAStepHasLeftOff() {
    for (step, worked) in [(RecoveryStep.Kind.power, false), (.interface, false), (.usb, true)] {
      var ladder = RecoveryLadder(RecoveryLadder.adapter)
      _ = steps(&ladder, .stopped, 4)
      ladder.ended(step, worked: worked)
      #expect(ladder.next(.off(isBlocked: false), at: .seconds(21)) == .power)
      #expect(ladder.next(.off(isBlocked: false), at: .seconds(22)) == .wait)
    }
  }

  @Test(arguments: [(RecoveryStep.Kind.power, true), (.interface, true), (.usb, false)])
  func takesNothingBackWhenItsStepsHaveDoneNoHarm(_ step: RecoveryStep.Kind, worked: Bool) {
    for isBlocked in [true, false] {
      var ladder = RecoveryLadder(RecoveryLadder.adapter)
      _ = steps(&ladder, .stopped, 4)
      ladder.ended(step, worked: worked)
      #expect(ladder.next(.off(isBlocked: isBlocked), at: .seconds(21)) == .wait)
    }
  }

  @Test func doesNotTakeTheBlockOfAPersonForItsOwn() {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    _ = ladder.next(.stopped, at: .zero)
    #expect(ladder.next(.off(isBlocked: true), at: .seconds(1)) == .wait)
    _ = steps(&ladder, .stopped, 3, from: .seconds(2))
    ladder.recovered()
    #expect(ladder.next(.off(isBlocked: true), at: .seconds(60)) == .wait)
    _ = steps(&ladder, .stopped, 10, from: .seconds(61))
    #expect(ladder.isExhausted)
    #expect(ladder.next(.off(isBlocked: true), at: .seconds(200)) == .wait)
  }

  @Test func switchesABusyAdapterOffAndOnOnceAndDoesNoMore() {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    #expect(steps(&ladder, .busy, 6) == [.scan, .scan, .scan, .power, .scan, .scan])
    var exclusive = RecoveryLadder(RecoveryLadder.exclusive)
    #expect(Set(steps(&exclusive, .busy, 50)) == [.scan])
  }

  @Test func beginsBelowWhenTheScanHasRun() {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    #expect(steps(&ladder, .stopped, 2) == [.scan, .power])
    ladder.ran()
    #expect(steps(&ladder, .stopped, 2, from: .seconds(20)) == [.scan, .power])
  }

  @Test func waitsForAnAdapterThatIsGone() {
    var ladder = RecoveryLadder(RecoveryLadder.adapter)
    // It may still be plugged in, and have crashed: a reset is tried once.
    #expect(steps(&ladder, .gone, 8) == [.wait, .wait, .wait, .usb, .wait, .wait, .wait, .wait])
    var controller = RecoveryLadder(RecoveryLadder.controller)
    #expect(Set(steps(&controller, .gone, 8)) == [.wait])
  }
}
