import LunaStore
import UplinkProtocol

/// A localization over links that are made up: nothing is sent, and what it says is marked.
struct UplinkSimulatedLocate {
  let simulation: UplinkLocateSimulation
  let keeper: UplinkKeeper

  /// Makes it.
  func run(_ profile: BuiltInProfile) async throws -> ExitCode {
    let seed = UInt64.random(in: 0 ... .max)
    var pair = SimulatedPair(try simulation.behaviour(), seed: seed)
    var report = LocateReport(
      profile: profile.rawValue, direction: "up", server: "simulated", isSimulated: true)
    for _ in 0..<2 { report.add(pair.verdict, bytes: 0, seconds: 0) }
    if let difference = report.difference {
      var blocks = LocateBlocks(difference, seed: seed)
      while let run = blocks.next() { blocks.take(pair.group(run)) }
      report.add(try blocks.finding())
    } else {
      report.addNothing()
    }
    var conditions = UplinkConditions(rule: "luna")
    conditions.seed = seed
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
