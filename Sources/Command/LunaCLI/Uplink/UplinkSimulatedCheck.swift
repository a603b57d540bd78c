import LunaStore
import UplinkProtocol

/// A check over links that are made up: nothing is sent, and what it says is marked.
struct UplinkSimulatedCheck {
  private static let server = "simulated"

  let simulation: UplinkSimulation
  let options: UplinkPairOptions
  let confirms: Bool
  let keeper: UplinkKeeper

  /// Makes it for each profile; the worst of the verdicts decides.
  func run(_ profiles: [BuiltInProfile]) async throws -> ExitCode {
    var code = ExitCode.done
    for profile in profiles {
      let behaviour = try simulation.behaviour()
      let seed = UInt64.random(in: 0 ... .max)
      var report = CheckReport(
        profile, direction: "up", server: UplinkSimulatedCheck.server, isSimulated: true)
      var generator = SplitMix64(seed: seed)
      repeat {
        report.add(try finding(profile.slotMeasure, behaviour, seed: generator.next()))
      } while confirms && report.needsConfirmation
      var conditions = UplinkConditions(rule: "luna")
      conditions.seed = seed
      try await keeper.keep(conditions) { id, time in report.json(id: id, time: time) }
      code.worsen(report.verdict)
    }
    return code
  }

  private func finding(
    _ measure: SlotMeasure, _ behaviour: SimulatedLink.Behaviour, seed: UInt64
  ) throws -> CheckFinding {
    var check = PairedCheck(measure, seed: seed, aim: options.aim, pairs: options.count)
    var link = SimulatedLink(behaviour, seed: seed)
    while true {
      let record = link.slot(check.next(), measure)
      if let finding = try check.take(record) { return finding }
    }
  }
}
