import CommandSpec
import UplinkProtocol

/// What a simulated check comes to.
enum UplinkSimulation: Sendable {
  /// What a link does that is made up.
  case link(SimulatedLink.Behaviour)
  /// The same, drawn by lot.
  case random
  /// A replay fails.
  case replayError(ReplayError.Kind)
  /// No server is located.
  case locateError(LocateError.Kind)

  private static let prefix = "error:"

  static let reader = ValueReader<UplinkSimulation>(
    expects: "fair, throttled, prioritised, blocked, inconclusive, random or error:NAME",
    hint: .suggestions(
      (SimulatedLink.Behaviour.allCases.map(\.rawValue) + ["random"]).map { Choice($0) })
  ) { text throws(ValueProblem) in
    if let behaviour = SimulatedLink.Behaviour(rawValue: text) { return .link(behaviour) }
    if text == "random" { return .random }
    let name = String(text.dropFirst(UplinkSimulation.prefix.count))
    if text.hasPrefix(UplinkSimulation.prefix) {
      if let kind = ReplayError.Kind(rawValue: name) { return .replayError(kind) }
      if let kind = LocateError.Kind(rawValue: name) { return .locateError(kind) }
    }
    throw ValueProblem("is nothing that can be simulated")
  }

  /// What the link does.
  ///
  /// - Throws: ``CommandFailure`` where something else is simulated than a link.
  func behaviour() throws(CommandFailure) -> SimulatedLink.Behaviour {
    switch self {
    case .link(let behaviour): return behaviour
    case .random: return SimulatedLink.Behaviour.allCases.randomElement() ?? .fair
    case .replayError(let kind): throw CommandFailure(ReplayError(kind))
    case .locateError(let kind): throw CommandFailure(LocateError(kind))
    }
  }
}
