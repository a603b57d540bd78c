import Testing

@testable import Bluetooth

@Suite struct SignalChoiceTests {
  /// Which reports are taken: adapter, RSSI, and the second of each.
  private func taken(_ reports: [(UInt16?, Int8?, Int64)]) -> [Bool] {
    var choice = SignalChoice()
    return reports.map { adapter, rssi, second in
      let report = AdvertisingReport(
        time: Timestamp(microseconds: second * 1_000_000), adapter: adapter,
        address: BluetoothAddress(value: 1), addressType: .public, payload: AdvertisingPayload(),
        rssi: rssi)
      return choice.takes(report)
    }
  }

  @Test func followsTheOnlyAdapter() {
    #expect(
      taken([(0, -40, 0), (0, -90, 1), (0, -60, 2), (0, -120, 3), (0, nil, 4)])
        == [true, true, true, true, false])
  }

  @Test func keepsToTheNearerAdapter() {
    #expect(
      taken([
        (0, -60, 0), (1, -80, 1),
        // A little better is not enough: the two would take turns.
        (1, -55, 2), (1, -54, 3), (0, -50, 4), (1, -70, 5), (0, -60, 6),
      ]) == [true, false, false, true, false, true, true])
  }

  @Test func doesNotWaitForAnAdapterThatHearsNothing() {
    #expect(taken([(0, -40, 0), (1, -90, 10), (1, -90, 11)]) == [true, false, true])
  }

  @Test func doesNotWaitForAClockThatWasSetBack() {
    #expect(taken([(0, -40, 3600), (1, -90, 3590), (1, -90, 20)]) == [true, false, true])
  }

  @Test func countsWithTimesThatAreNotKnown() {
    #expect(taken([(0, -40, -1 << 40), (1, -90, 0)]) == [true, true])
  }
}
