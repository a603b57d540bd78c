import LunaStore
import UplinkProtocol

/// An inspection of a network that is made up: nothing is sent, and what it says is marked.
struct UplinkSimulatedDPI {
  let behaviour: SimulatedBox.Behaviour
  let keeper: UplinkKeeper

  /// Makes it: fields, then bytes.
  func run() async throws -> ExitCode {
    let seed = UInt64.random(in: 0 ... .max)
    guard let (inspection, report) = InspectionReport.simulated(behaviour, seed: seed) else {
      throw CommandFailure(.lost, "there is no recording to be made up")
    }
    let conditions = UplinkConditions(FairnessThresholds.inspection, seed: seed)
    try await keeper.keep(conditions) { id, time in report.json(id: id, time: time) }
    return ExitCode(inspection)
  }
}
