public import LunaCore
public import LunaJSON
public import LunaStore

/// Why a rule ran, with what became of its actions; or why it did not.
public struct HomeExplanation: Sendable {
  /// What was kept of it.
  public let record: HomeRecord
  /// What became of its actions.
  public let outcomes: [HomeOutcome]

  /// All of it as JSON.
  public var json: JSONValue {
    guard case .object(var all) = record.json else { return record.json }
    if record.kind == .firing {
      all.append(
        "outcomes",
        .array(
          outcomes.map {
            [
              "action": .string($0.name), "state": .string($0.state.rawValue),
              "time": HomeTime.json($0.time), "detail": .string($0.detail),
            ]
          }))
    }
    return .object(all)
  }

  /// It for people, a line for each part.
  public var lines: [String] { lines(HomeTime.text) }

  /// The same.
  ///
  /// - Parameter text: how a moment is shown, µs since 1970.
  package func lines(_ text: (Int64) -> String) -> [String] {
    guard case .object(let object) = record.json else { return [] }
    let time = text(record.time)
    var cause = ""
    if case .object(let parts)? = object["cause"] {
      cause = ["trigger", "detail", "tracker"].compactMap { name in
        if case .string(let text)? = parts[name], !text.isEmpty { text } else { nil }
      }.joined(separator: " ")
    }
    var lines: [String]
    switch record.kind {
    case .firing: lines = ["\(time)  ran: \(cause)"]
    case .held: lines = ["\(time)  held back (\(HomeExplanation.text(object["why"]))): \(cause)"]
    case .missed: lines = ["\(time)  missed: the home did not run when it was due"]
    }
    if case .array(let conditions)? = object["conditions"] {
      lines += conditions.map { "  if \(HomeExplanation.text($0))" }
    }
    lines += outcomes.map {
      "  \($0.name): \($0.state.rawValue)" + ($0.detail.isEmpty ? "" : ", \($0.detail)")
    }
    return lines
  }

  private static func text(_ json: JSONValue?) -> String {
    if case .string(let text)? = json { text } else { "" }
  }
}

extension HomeStore {
  /// Why rules ran, and why they did not, the newest first.
  ///
  /// - Parameters:
  ///   - rule: nil for all of them.
  ///   - end: nothing that is later, µs since 1970.
  public func explanations(
    of rule: String?, until end: Int64, limit: Int
  ) async throws(DeviceStoreError) -> [HomeExplanation] {
    try read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      var found: [HomeExplanation] = []
      for record in try database.records(
        of: rule, kinds: [.firing, .held, .missed], until: end, limit: limit)
      {
        var outcomes: [HomeOutcome] = []
        if let firing = record.firing { outcomes = try database.outcomes(of: firing) }
        found.append(HomeExplanation(record: record, outcomes: outcomes))
      }
      return found
    }
  }
}
