import LunaJSON
import Testing

@testable import UplinkProtocol

/// Inspections of networks that are made up, from the first slot to the result.
struct SimulatedBoxTests {
  private func report(
    _ behaviour: SimulatedBox.Behaviour, seed: UInt64 = 3
  ) throws -> (inspection: Inspection, report: InspectionReport, spans: [ByteSpan]) {
    var box = try #require(SimulatedBox(behaviour, seed: seed))
    var inspection = Inspection([.sni, .alpn, .size], bytes: box.bytes.count, seed: seed)
    while let subject = inspection.next { inspection.take(box.slot(subject).speed) }
    let report = InspectionReport(
      inspection, of: "made up", box.bytes, server: "simulated", isSimulated: true)
    return (inspection, report, box.bytes.spans(of: inspection.finding))
  }

  @Test(arguments: SimulatedBox.Behaviour.allCases)
  func findsWhatItRecognises(_ behaviour: SimulatedBox.Behaviour) throws {
    let (inspection, _, spans) = try report(behaviour)
    let texts = spans.map { String(decoding: $0.bytes, as: UTF8.self) }
    let places = spans.map { "\($0.packet):\($0.range.lowerBound)-\($0.range.upperBound)" }
    let alternatives = spans.map(\.alternative)
    switch behaviour {
    case .name: #expect(texts == ["luna.example"] && places == ["1:32-44"])
    case .spans: #expect(texts == ["events", "luna.example"] && alternatives == [nil, nil])
    case .either:
      #expect(Set(texts) == ["events", "luna.example"] && alternatives == [1, 2])
    case .byte: #expect(texts == ["P"] && places == ["1:0-1"])
    case .packets: #expect(texts == ["X-", "Trace"] && places == ["1:46-48", "2:0-5"])
    case .nothing: #expect(spans.isEmpty && !inspection.finding.isAnything)
    case .noise: #expect(inspection.reason != nil)
    }
    #expect(inspection.probes <= 200)
    guard behaviour != .noise else { return }
    #expect(inspection.reason == nil)
    let isName = behaviour != .nothing
    #expect(inspection.finding.fields == [.sni: isName, .alpn: false, .size: false])
  }

  @Test func resultSaysAllOfIt() throws {
    var (inspection, report, _) = try report(.name)
    report.bytes = 1_000
    report.seconds = 1.5
    let json = report.json(id: "0", time: "2026-01-01T00:00:00Z")
    #expect(json["type"] == "uplink" && json["matched"] == "bytes" && json["reason"] == nil)
    #expect(json["probes"] == .integer(Int64(inspection.probes)))
    #expect(json["certainty"] == .real(inspection.certainty))
    #expect(json["simulated"] == true && json["bytes"] == 1_000 && json["seconds"] == .real(1.5))
    #expect(
      json["fields"]
        == .array([
          ["field": "sni", "matched": true], ["field": "alpn", "matched": false],
          ["field": "size", "matched": false],
        ]))
    // Health looks for verdicts: this is none.
    #expect(json["verdict"] == nil)
    let cancelled = report.json(id: "0", time: "2026-01-01T00:00:00Z", isCancelled: true)
    #expect(cancelled["reason"] == "cancelled" && cancelled["matched"] == "bytes")
    inspection = Inspection([.sni], bytes: 0, seed: 1)
    let early = InspectionReport(inspection, of: "made up", nil, server: "simulated")
    let none = early.json(id: "0", time: "2026-01-01T00:00:00Z", isCancelled: true)
    #expect(none["matched"] == nil && none["fields"] == nil && none["probes"] == 0)
    let nothing = try self.report(.nothing).report.json(id: "0", time: "2026-01-01T00:00:00Z")
    #expect(nothing["matched"] == "nothing" && nothing["spans"] == .array([]))
  }
}
