import CommandSpec
import UplinkProtocol

/// What a simulated localization comes to.
enum UplinkLocateSimulation: Sendable {
  /// What limits two servers that are made up.
  case pair(SimulatedPair.Behaviour)
  /// Nothing is located.
  case localizationError(LocalizationError.Kind)
  /// What can go wrong in a check, too.
  case other(UplinkSimulation)

  private static let prefix = "error:"

  static let reader = ValueReader<UplinkLocateSimulation>(
    expects: "common, separate, noEvidence or error:NAME",
    hint: .suggestions(SimulatedPair.Behaviour.allCases.map { Choice($0.rawValue) })
  ) { text throws(ValueProblem) in
    if let behaviour = SimulatedPair.Behaviour(rawValue: text) { return .pair(behaviour) }
    guard text.hasPrefix(UplinkLocateSimulation.prefix) else {
      throw ValueProblem("is nothing that can be simulated")
    }
    let name = String(text.dropFirst(UplinkLocateSimulation.prefix.count))
    if let kind = LocalizationError.Kind(rawValue: name) { return .localizationError(kind) }
    return .other(try UplinkSimulation.reader.read(text))
  }

  /// What limits the servers.
  ///
  /// - Throws: ``CommandFailure`` where something else is simulated.
  func behaviour() throws(CommandFailure) -> SimulatedPair.Behaviour {
    switch self {
    case .pair(let behaviour): return behaviour
    case .localizationError(let kind): throw CommandFailure(LocalizationError(kind))
    case .other(let simulation):
      _ = try simulation.behaviour()
      return .noEvidence
    }
  }
}
