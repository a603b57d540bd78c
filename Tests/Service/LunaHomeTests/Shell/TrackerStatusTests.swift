import LunaProtocol
import Testing

@testable import LunaHome

/// What a tracker says of itself, as properties.
@Suite struct TrackerStatusTests {
  @Test func batteriesAreCalledWhatTheyAre() {
    func values(_ level: BatteryLevel) -> [String: PropertyValue] {
      Dictionary(
        uniqueKeysWithValues: TrackerStatus(battery: level).batteryValues.map {
          ($0.name, $0.value)
        })
    }
    #expect(values(.normal) == ["battery": .text("normal"), "batteryLow": .bool(false)])
    #expect(values(.low) == ["battery": .text("low"), "batteryLow": .bool(true)])
    #expect(values(.critical) == ["battery": .text("critical"), "batteryLow": .bool(true)])
    // What it does not tell is not normal.
    #expect(values(.unknown).isEmpty)
  }

  @Test func whetherItSounds() {
    #expect(TrackerStatus(battery: .normal, isSounding: true).soundValue == .text("on"))
    #expect(TrackerStatus(battery: .normal).soundValue == .text("off"))
  }
}
