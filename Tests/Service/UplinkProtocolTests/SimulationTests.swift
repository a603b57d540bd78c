import LunaJSON
import Testing

@testable import UplinkProtocol

/// Results over networks that are made up: they say what was made up, and that it was.
struct SimulationTests {
  @Test(arguments: [SimulatedLink.Behaviour.fair, .throttled, .prioritised, .blocked])
  func ofChecks(_ behaviour: SimulatedLink.Behaviour) throws {
    let report = try CheckReport.simulated(.upload, behaviour, seed: 7)
    #expect(report.verdict?.word == behaviour.rawValue)
    let json = report.json(id: "1", time: "2026-11-27T00:00:00Z")
    #expect(json["simulated"] == true && json["server"] == "simulated")
  }

  @Test func aDifferenceIsConfirmedOnlyWhereThatIsWanted() throws {
    #expect(
      try CheckReport.simulated(.upload, .throttled, confirms: false, seed: 7).needsConfirmation)
    #expect(try !CheckReport.simulated(.upload, .throttled, seed: 7).needsConfirmation)
  }

  @Test(arguments: SimulatedPair.Behaviour.allCases)
  func ofLocalizations(_ behaviour: SimulatedPair.Behaviour) throws {
    let report = try LocateReport.simulated(.upload, behaviour, seed: 5)
    #expect(report.location?.rawValue == behaviour.rawValue)
    #expect(report.isSimulated && report.verdicts.count == 2)
  }

  @Test func ofInspections() throws {
    let (inspection, report) = try #require(InspectionReport.simulated(.name, seed: 3))
    #expect(inspection.reason == nil && inspection.finding.fields[.sni] == true)
    #expect(inspection.finding.fields[.port] == nil)
    let json = report.json(id: "1", time: "2026-11-27T00:00:00Z")
    #expect(json["simulated"] == true && json["matched"] == "bytes")
  }
}
