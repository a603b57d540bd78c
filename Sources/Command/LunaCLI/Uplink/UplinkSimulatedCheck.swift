import LunaStore
import UplinkProtocol

/// A check over links that are made up: nothing is sent, and what it says is marked.
struct UplinkSimulatedCheck {
  let simulation: UplinkSimulation
  let options: UplinkPairOptions
  let confirms: Bool
  let keeper: UplinkKeeper

  /// Makes it for each profile; the worst of the verdicts decides.
  func run(_ profiles: [BuiltInProfile]) async throws -> ExitCode {
    var code = ExitCode.done
    for profile in profiles {
      let seed = UInt64.random(in: 0 ... .max)
      let report = try CheckReport.simulated(
        profile, try simulation.behaviour(), aim: options.aim, pairs: options.count,
        confirms: confirms, seed: seed)
      let conditions = UplinkConditions(
        FairnessThresholds.check(aim: options.aim, pairs: options.count), seed: seed)
      try await keeper.keep(conditions) { id, time in report.json(id: id, time: time) }
      code.worsen(report.verdict)
    }
    return code
  }
}
