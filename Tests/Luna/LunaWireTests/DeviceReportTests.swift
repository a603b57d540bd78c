import Bluetooth
import LunaCore
import LunaJSON
import LunaWire
import Testing

@Suite struct DeviceReportTests {
  private static let json: JSONObject = [
    "ref": "0011223344556677", "family": "ibeacon", "first": "2026-01-01T10:00:00Z",
    "last": "2026-01-01T12:00:00Z", "hours": 5, "band": "near",
  ]

  @Test func reads() throws {
    let read = try DeviceReport(json: .object(Self.json))
    let time = try #require(Timestamp(rfc3339: "2026-01-01T12:20:00Z"))
    #expect(read.hours.count(at: time) == 2)
    #expect(try DeviceReport(json: read.json) == read)
  }

  @Test(
    arguments: [
      ("ref", "0011"), ("ref", "001122334455667G"), ("first", "2026-01-01T10:30:00Z"),
      ("first", "2026-01-01T13:00:00Z"), ("last", "yesterday"), ("hours", 0x100_0000),
      ("hours", -1), ("band", "here"), ("family", "a b"), ("family", .null),
    ] as [(String, JSONValue)])
  func refuses(name: String, value: JSONValue) {
    var other = Self.json
    other.append(name, value)
    #expect(throws: FormatError.self) { try DeviceReport(json: .object(other)) }
  }
}
