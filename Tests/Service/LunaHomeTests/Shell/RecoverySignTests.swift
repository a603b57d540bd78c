import Bluetooth
import LunaTesting
import Testing

@testable import LunaHome

/// What the steps that bring a scan back say of who is there.
@Suite(.timeLimit(.minutes(10))) struct RecoverySignTests {
  private static let file = #"{"trackers": [{"id": "t", "match": "rssi > 100"}]}"#

  /// Only a restart of the scan that the controller has confirmed shows for a minute that somebody could be heard.
  @Test(
    arguments: [
      (.scan, .done, true), (.scan, .failed, nil), (.power, .done, nil), (.wait, .waiting, nil),
    ] as [(RecoveryStep.Kind, RecoveryStep.Outcome, Bool?)])
  func onlyAConfirmedRestartIsASignOfLife(
    kind: RecoveryStep.Kind, outcome: RecoveryStep.Outcome, isPresent: Bool?
  ) async throws {
    let clock = SteppedClock()
    let bench = try ShellBench(Self.file, clock: clock.clock, radio: QuietRadio())
    try await bench.home.start()
    for _ in 0..<2 {
      await bench.home.take([.frame(tracker: "t", rssi: -60, adapter: "hci0")])
      clock.pass(.seconds(1))
    }
    #expect(await bench.home.engine?.isPresent("t") == true)
    clock.pass(.seconds(58))
    let step = RecoveryStep(
      adapter: "hci0", kind: kind, outcome: outcome, reason: "nothing is heard", attempt: 1)
    await bench.home.take(.recovery(step))
    clock.pass(.seconds(59))
    await bench.home.take([.clock])
    #expect(await bench.home.engine?.isPresent("t") == isPresent)
    // It lasts no longer than what was heard.
    clock.pass(.seconds(2))
    await bench.home.take([.clock])
    #expect(await bench.home.engine?.isPresent("t") == nil)
    await bench.home.stop()
  }
}
