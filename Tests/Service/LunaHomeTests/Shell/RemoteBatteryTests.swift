import Bluetooth
import LunaOwner
import LunaProtocol
import Testing

@testable import LunaHome

struct RemoteBatteryTests {
  private func told(
    _ status: Result<TrackerStatus, ESFRejection>
  ) throws -> [HomeInput] {
    let event = Event(
      record: try LocationRecord(
        ReportedLocation(
          collectedAt: 1_795_255_200_000, latitude: 52.5, longitude: 13.25, altitude: nil,
          horizontalAccuracy: nil, rssi: nil)),
      eid: EID(value: 1), heid: HEID(high: 1, low: 2), period: 5, status: status,
      receivedAt: Timestamp(microseconds: 1_795_255_201_000_000), isPlausible: true)
    return LunaHome.battery(in: event, of: "keys")
  }

  @Test func tellsWhatTheTrackerSays() throws {
    #expect(
      try told(.success(TrackerStatus(battery: .low))) == [
        .value(tracker: "keys", property: "battery", .text("low")),
        .value(tracker: "keys", property: "batteryLow", .bool(true)),
      ])
    #expect(
      try told(.success(TrackerStatus(battery: .normal))).first
        == .value(tracker: "keys", property: "battery", .text("normal")))
  }

  /// What is not known is left out: it is not normal.
  @Test func tellsNothingOfAStatusThatCannotBeRead() throws {
    #expect(try told(.failure(.auth)).isEmpty)
    #expect(try told(.success(TrackerStatus(battery: .unknown))).isEmpty)
  }
}
