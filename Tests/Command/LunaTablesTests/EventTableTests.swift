import Bluetooth
import LunaDocuments
import LunaOwner
import LunaProtocol
import TerminalTable
import Testing

@testable import LunaTables

@Suite struct EventTableTests {
  private static let start: Int64 = 1_795_255_200_000

  private static func event(
    _ seconds: Int64, _ latitude: Double, _ longitude: Double, accuracy: Double? = 12.5,
    rssi: Int? = -60, isPlausible: Bool = true, battery: BatteryLevel = .normal
  ) throws -> Event {
    let time = start + seconds * 1000
    return Event(
      record: try LocationRecord(
        ReportedLocation(
          collectedAt: time, latitude: latitude, longitude: longitude, altitude: nil,
          horizontalAccuracy: accuracy, rssi: rssi)),
      eid: EID(value: 0xABCD), heid: HEID(high: 1, low: 2), period: 5,
      status: .success(TrackerStatus(battery: battery)),
      receivedAt: Timestamp(microseconds: (time + 1000) * 1000), isPlausible: isPlausible)
  }

  private static func table(_ events: [Event]) -> EventTable {
    EventTable(events, clock: ClockText(UTCZone()))
  }

  @Test func hasARowForEachTimeItWasHeard() throws {
    let table = Self.table([
      try Self.event(600, -0.000004, 13.25, accuracy: nil, battery: .unknown),
      try Self.event(0, 52.5, 13.25), try Self.event(59, 52.5016, 13.25, accuracy: 5),
      try Self.event(30, 52.7, 13.25, accuracy: 1, isPlausible: false, battery: .low),
    ])
    #expect(
      table.rows == [
        [
          "2026-11-21 10:00:59", "52.50160, 13.25000", "5 m", "3", "low", "-",
          "https://osm.org/?mlat=52.50160&mlon=13.25000",
        ],
        [
          "2026-11-21 10:10:00", "0.00000, 13.25000", "-", "1", "-", "-",
          "https://osm.org/?mlat=0.00000&mlon=13.25000",
        ],
      ], "the most exact that can be true, the worst battery, how many gateways")
    #expect(table.latest == "https://osm.org/?mlat=0.00000&mlon=13.25000")
    #expect(table.heads.first?.title == "TIME (UTC)")
    #expect(table.isShared)
    #expect(try !Self.table([Self.event(0, 52.5, 13.25)]).isShared)
  }

  /// At 40 columns no line is broken, and when and where stay.
  @Test func fitsANarrowTerminal() throws {
    let table = Self.table([try Self.event(0, 52.5, 13.25)])
    let columns = ColumnTable(table.heads, for: table.rows, width: 40)
    #expect(columns.head == "TIME (UTC)           PLACE")
    #expect(columns.line(table.rows[0]) == "2026-11-21 10:00:00  52.50000, 13.25000")
  }

  /// Who began anew within the minute says the same place again, nearer to the tracker or not.
  @Test func countsAGatewayThatBeganAnewOnce() throws {
    let events = [
      try Self.event(0, 52.5, 13.25), try Self.event(20, 52.5, 13.25, rssi: -50),
      try Self.event(40, 52.5, 13.25, rssi: nil),
    ]
    #expect(Self.table(events).rows.map { $0[3] } == ["1"])
    let another = try Self.event(50, 52.5, 13.25, accuracy: 5)
    #expect(Self.table(events + [another]).rows.map { $0[3] } == ["2"])
  }

  @Test func prefersTheNearerOfTwo() throws {
    let events = [
      try Self.event(0, 1, 1, rssi: -80), try Self.event(1, -2.5, -0.1, rssi: -50),
      try Self.event(2, 3, 3, rssi: nil),
    ]
    #expect(Self.table(events).rows.map { $0[1] } == ["-2.50000, -0.10000"])
  }

  @Test func saysWhatCannotBeTrue() throws {
    let table = Self.table([try Self.event(0, 1, 1, accuracy: 9000, isPlausible: false)])
    #expect(table.rows[0][2] == "over 6554 m")
    #expect(table.rows[0][5] == "at an implausible time")
    #expect(table.latest == nil && Self.table([]).rows.isEmpty)
  }
}
