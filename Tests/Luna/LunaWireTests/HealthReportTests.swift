import LunaCore
import LunaJSON
import LunaWire
import Testing

/// The health of a gateway, both ways.
@Suite struct HealthReportTests {
  /// All that a report can have, each number another one.
  private static let text = """
    {"version": "1.2", "uptime": 1, "radioPath": "observe",
     "adapters": [{"id": "hci0", "state": "scanning", "packetsPerSecond": 2.5}],
     "packetsPerSecond": 3.5, "packetsDropped": 4, "packetsMalformed": 5, "advertisers": 6,
     "families": {"ibeacon": 7, "tile": 8}, "sightingsPerMinute": 9.5, "recoveries": 10,
     "silentSeconds": 11, "queueDepth": 12, "queueOldestSeconds": 13, "outageHoursLeft": 14.5,
     "eventsLost": 15, "uploadFailures": 16, "lastUploadSeconds": 17, "backendMilliseconds": 18,
     "commandsDone": 19, "commandsFailed": 20, "locationState": "stale",
     "clockOffsetMilliseconds": -21, "uplinkVerdict": "fair", "uplinkRatio": 0.98,
     "uplinkSeconds": 26, "uplinkLocated": "common", "cpuPercent": 22.5,
     "memoryMiB": 23.5, "diskFreeMiB": 24, "temperature": -25.5, "throttled": true}
    """

  private func object(_ name: String, _ value: JSONValue) -> JSONValue {
    var object = JSONObject()
    object.append(name, value)
    return .object(object)
  }

  private func names(_ count: Int) -> JSONValue {
    var names = JSONObject()
    for number in 0..<count { names.append("family-\(number)", .integer(1)) }
    return .object(names)
  }

  private func adapters(_ count: Int) -> JSONValue {
    .array((0..<count).map { ["id": .string("hci\($0)"), "state": "idle"] })
  }

  @Test func saysAgainAllThatItHasRead() throws {
    let whole = try JSONReader.read(Array(Self.text.utf8))
    #expect(try HealthReport(json: whole).json == whole)
  }

  @Test func whatIsMissingOrNewIsNoFault() throws {
    #expect(try HealthReport(json: [:]) == HealthReport())
    #expect(try HealthReport(json: object("later", 1)) == HealthReport())
    guard case .object(let whole) = try JSONReader.read(Array(Self.text.utf8)) else {
      Issue.record("no object")
      return
    }
    #expect(whole.members.count == 32)
    for member in whole.members {
      #expect(try HealthReport(json: object(member.name, .null)) == HealthReport())
    }
  }

  /// The largest of each kind, and what is one more.
  @Test func hasLimits() throws {
    let most: Int64 = (1 << 53) - 1
    func text(_ count: Int) -> JSONValue { .string(String(repeating: "a", count: count)) }
    let limits: [(name: String, most: JSONValue, more: JSONValue)] = [
      ("uptime", .integer(most), .integer(most + 1)), ("uptime", 0, -1),
      ("clockOffsetMilliseconds", .integer(-most), .integer(-most - 1)),
      ("version", text(64), text(65)), ("radioPath", text(32), text(33)),
      ("uplinkVerdict", text(32), text(33)), ("uplinkLocated", text(32), text(33)),
      ("uplinkRatio", 0, -1), ("adapters", adapters(16), adapters(17)),
      ("families", names(64), names(65)), ("temperature", 1000, 1001),
      ("memoryMiB", 0, -1),
      ("families", object(String(repeating: "a", count: 32), 1), object("a b", 1)),
      ("families", object("a", 0), object(String(repeating: "a", count: 33), 1)),
    ]
    for (name, most, more) in limits {
      #expect(throws: Never.self) { try HealthReport(json: object(name, most)) }
      #expect(throws: FormatError.self, "\(name)") {
        try HealthReport(json: object(name, more))
      }
    }
  }

  @Test(
    arguments: [
      ("locationState", "nowhere"), ("throttled", 1), ("families", []), ("adapters", [1]),
      ("adapters", [["id": "hci0", "state": "ok"]]), ("uptime", "1"), ("radioPath", "a b"),
    ] as [(String, JSONValue)])
  func refuses(name: String, value: JSONValue) {
    #expect(throws: FormatError.self) { try HealthReport(json: object(name, value)) }
  }
}
