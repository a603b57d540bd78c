public import LunaJSON

/// What a step asks for, or tells.
public enum HomeEffect: Hashable, Sendable {
  /// A rule runs.
  case firing(HomeFiring)
  /// A rule does not run, though something has started it.
  case held(HomeHeld)
  /// To do something.
  case action(HomeActionRequest)
  /// A property has changed.
  case change(tracker: String, property: String, value: PropertyValue, wall: Int64)
  /// An occurrence of the clock that was too long ago.
  case missed(rule: String, at: Int64, wall: Int64)

  /// The effect as JSON; the same effects give the same bytes.
  public var json: JSONValue {
    switch self {
    case .firing(let firing): return firing.json
    case .held(let held): return held.json
    case .action(let request): return request.json
    case .change(let tracker, let property, let value, let wall):
      return [
        "type": "change", "time": HomeTime.json(wall), "tracker": .string(tracker),
        "property": .string(property), "value": value.json,
      ]
    case .missed(let rule, let at, let wall):
      return [
        "type": "held", "time": HomeTime.json(wall), "rule": .string(rule), "why": "missed",
        "due": HomeTime.json(at * 1_000_000),
      ]
    }
  }
}
