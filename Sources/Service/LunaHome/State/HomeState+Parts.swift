import LunaJSON

// A state in parts that change on their own, so that only those are written that have changed.

extension HomeState {
  /// What is of no tracker and of no rule.
  var rest: HomeState {
    var state = self
    state.trackers = [:]
    state.rules = [:]
    return state
  }

  /// A part as it is kept.
  static func bytes(_ part: some Encodable) -> [UInt8]? { try? StateEncoder.json(part).bytes }

  /// Puts a state together.
  init(parts: [String: [UInt8]]) throws(FormatError) {
    do {
      self = try parts["rest"].map { try HomeState.part($0) } ?? HomeState()
      for (name, bytes) in parts {
        if name.hasPrefix("tracker/") {
          trackers[String(name.dropFirst("tracker/".count))] = try HomeState.part(bytes)
        } else if name.hasPrefix("rule/") {
          rules[String(name.dropFirst("rule/".count))] = try HomeState.part(bytes)
        }
      }
      try check()
    } catch let error as FormatError {
      throw error
    } catch {
      throw FormatError("the state", "cannot be read")
    }
  }

  private static func part<Part: Decodable>(_ bytes: [UInt8]) throws -> Part {
    try StateDecoder.read(Part.self, JSONReader.read(bytes))
  }
}
