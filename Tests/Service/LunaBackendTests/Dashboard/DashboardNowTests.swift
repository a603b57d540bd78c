import LunaCore
import LunaFleet
import LunaJSON
import Testing

@testable import LunaBackend

/// What widgets show of gateways as they are now.
@Suite struct DashboardNowTests {
  private static func entry(
    _ name: String, _ state: String, _ verdict: String, version: String? = nil,
    fields: JSONObject = [:], report: ((inout HealthReport) -> Void)? = nil
  ) -> FleetMonitor.Entry {
    var fields = fields
    fields.append("name", .string(name))
    let health = report.map { change -> GatewayHealth in
      var report = HealthReport()
      change(&report)
      return GatewayHealth(
        gateway: name, time: Samples.now, verdict: .ok, reasons: [], report: report)
    }
    return FleetMonitor.Entry(
      gateway: Gateway(id: name, key: name, fields: fields, createdAt: Samples.now),
      status: GatewayStatus(state: state, verdict: verdict, version: version),
      signs: GatewaySigns(upload: nil, health: health, limits: HealthLimits()))
  }

  private var now: DashboardNow {
    let place: JSONObject = ["place": ["latitude": 1, "longitude": 2]]
    let attic = Self.entry("attic", "online", "ok", version: "2", fields: place) { report in
      report.advertisers = 5
      report.queueDepth = 3
    }
    let barn = Self.entry("barn", "online", "warn", version: "1") { report in
      report.advertisers = 7
      report.queueDepth = 0
    }
    let cellar = Self.entry("cellar", "offline", "bad", version: "1") { report in
      report.advertisers = 100
      report.queueDepth = 9
    }
    let others = [
      Self.entry("den", "offline", "unknown"), Self.entry("estate", "never", "unknown"),
    ]
    return DashboardNow([attic, barn, cellar] + others)
  }

  @Test(arguments: [
    ("gateways", 5, "2 online"), ("devices", 12, "heard by 2 gateways"),
    ("queue", 12, "at 2 gateways"), ("attention", 3, "1 bad, 2 not in touch"),
  ])
  func counts(name: String, value: Int64, text: String) {
    #expect(now.widget(name) == ["value": .integer(value), "text": .string(text)])
  }

  @Test func saysOfHowManyNothingIsReal() {
    let entries = [
      Self.entry("attic", "online", "ok") { $0.radioPath = "virtual" },
      Self.entry("barn", "never", "unknown", fields: ["tags": ["simulated"]]),
      Self.entry("cellar", "online", "ok") { $0.radioPath = "observe" },
    ]
    #expect(
      DashboardNow(entries).widget("gateways")
        == ["value": 3, "text": "2 online", "simulated": 2])
  }

  @Test func ofOneItSaysSo() {
    let one = DashboardNow([Self.entry("attic", "online", "ok") { $0.queueDepth = 1 }])
    #expect(one.widget("queue") == ["value": 1, "text": "at 1 gateway"])
    #expect(one.widget("devices") == ["value": 0, "text": "heard by 0 gateways"])
  }

  @Test(arguments: ["devices", "queue"])
  func countsNoFurtherThanThereAreNumbers(name: String) {
    let all = (1...2).map { number in
      Self.entry("\(number)", "online", "ok") { report in
        report.advertisers = Int64.max
        report.queueDepth = Int64.max
      }
    }
    let text = name == "devices" ? "heard by 2 gateways" : "at 2 gateways"
    #expect(
      DashboardNow(all).widget(name) == ["value": .integer(Int64.max), "text": .string(text)])
  }

  /// Most first; what is as often in the order of its names. Beyond six the rest is one.
  @Test func parts() {
    func pie(_ counts: [(String, Int64)]) -> JSONValue {
      ["parts": .array(counts.map { ["name": .string($0.0), "value": .integer($0.1)] })]
    }
    #expect(now.widget("versions") == pie([("1", 2), ("unknown", 2), ("2", 1)]))
    #expect(
      now.widget("availability")
        == pie([("online", 2), ("late", 0), ("offline", 2), ("never", 1)]))
    let many = DashboardNow((1...8).map { Self.entry("g\($0)", "late", "ok", version: "\($0)") })
    let six: [(String, Int64)] = (1...6).map { ("\($0)", 1) }
    #expect(many.widget("versions") == pie(six + [("others", 2)]))
  }

  /// By the tags; of those that were not checked nothing is expected.
  @Test func providersSayWhatTheirGatewaysFound() {
    func at(_ name: String, _ tags: JSONValue, _ verdict: String?, _ ratio: Double? = nil)
      -> FleetMonitor.Entry
    {
      Self.entry(name, "online", "ok", fields: ["tags": tags]) { report in
        report.uplinkVerdict = verdict
        report.uplinkRatio = ratio
      }
    }
    let now = DashboardNow([
      at("attic", ["provider-b", "roof"], "throttled", 0.5), at("barn", ["provider-b"], "fair", 1),
      at("cellar", ["provider-b"], "fair", 0.9), at("den", ["provider-a", "provider-"], nil),
    ])
    #expect(
      now.widget("providers") == [
        "rows": [
          [
            "tag": "provider-a", "name": "a", "gateways": 1,
            "verdicts": [["name": "unknown", "value": 1]], "ratio": .null, "falseAlarms": .null,
            "confirmedFalseAlarms": .null,
          ],
          [
            "tag": "provider-b", "name": "b", "gateways": 3,
            "verdicts": [
              ["name": "fair", "value": 2], ["name": "throttled", "value": 1],
            ], "ratio": .real(0.9), "falseAlarms": .real(0.03),
            "confirmedFalseAlarms": .real(0.0003),
          ],
        ]
      ])
  }

  @Test func theWorstIsFirst() {
    guard case .object(let list) = now.widget("attentionList"),
      case .array(let items)? = list["items"]
    else {
      Issue.record("no list")
      return
    }
    let told = items.map { item -> String in
      guard case .object(let item) = item else { return "" }
      return [item["name"], item["text"]].map { $0?.description ?? "" }.joined(separator: " ")
    }
    #expect(
      told == [#""cellar" "it is offline""#, #""den" "it is offline""#, #""barn" """#])
  }

  @Test func onlyWhoHasAPlaceIsOnTheMap() {
    let place: JSONValue = [
      "latitude": .real(1), "longitude": .real(2), "verdict": "ok",
    ]
    #expect(now.widget("map") == ["places": [place], "total": 5])
    #expect(now.widget("nonsense") == .null)
    #expect(now.widgets.members.map(\.name) == DashboardNow.names.filter { $0 != "map" })
  }
}
