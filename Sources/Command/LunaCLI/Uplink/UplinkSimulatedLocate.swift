import LunaStore
import UplinkProtocol

/// A localization over links that are made up: nothing is sent, and what it says is marked.
struct UplinkSimulatedLocate {
  let simulation: UplinkLocateSimulation
  let keeper: UplinkKeeper

  /// Makes it.
  func run(_ profile: BuiltInProfile) async throws -> ExitCode {
    let seed = UInt64.random(in: 0 ... .max)
    let report = try LocateReport.simulated(profile, try simulation.behaviour(), seed: seed)
    let conditions = UplinkConditions(FairnessThresholds.place, seed: seed)
    return try await keeper.keep(report, conditions)
  }
}

extension UplinkKeeper {
  /// Stores a localization, and shows it.
  ///
  /// - Returns: what the command ends with.
  func keep(
    _ report: LocateReport, _ conditions: UplinkConditions, isCancelled: Bool = false
  ) async throws -> ExitCode {
    try await keep(conditions) { id, time in
      report.json(id: id, time: time, isCancelled: isCancelled)
    }
    return report.location.map { ExitCode($0) } ?? .done
  }
}
