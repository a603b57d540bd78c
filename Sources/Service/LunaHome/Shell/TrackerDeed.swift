/// What is done when somebody asks something of a tracker.
enum TrackerDeed {
  /// It is told something by radio: `buzz`, `stopSound`, `blink` or `ping`.
  case control(String, seconds: UInt16)
  /// A property of it is set.
  case set(property: String, PropertyValue)
}

extension TrackerEntry {
  private static let controls = [
    "turn_on": "buzz", "turn_off": "stopSound", "blink": "blink", "ping": "ping", "buzz": "buzz",
    "stopSound": "stopSound",
  ]

  /// What can be asked of it.
  func actions(isOwn: Bool) -> [String] {
    let own = isOwn ? ["turn_on", "turn_off", "blink", "ping"] : []
    let custom = propertyNames.flatMap { name -> [String] in
      guard let property = properties[name], property.canBeSet else { return [] }
      return property.actions.map(\.name) + ["set:" + name]
    }
    return own + custom
  }

  /// What an action is.
  func deed(
    _ action: String, _ value: PropertyValue?, isOwn: Bool
  ) throws(HomeError) -> TrackerDeed {
    for name in propertyNames {
      guard let property = properties[name], property.canBeSet else { continue }
      if action == "set:" + name {
        guard let value else { throw HomeError(.action, "\(name) is to be set to no value") }
        guard property.takes(value) else {
          throw HomeError(.action, "\(name) does not take \(value.json)")
        }
        return .set(property: name, value)
      }
      if let known = property.actions.first(where: { $0.name == action }) {
        return .set(property: name, known.value)
      }
    }
    guard isOwn, let control = TrackerEntry.controls[action] else {
      throw HomeError(.action, "\(id) has no action \(action)")
    }
    guard let value else { return .control(control, seconds: 12) }
    guard let number = value.number, (1...60).contains(number) else {
      throw HomeError(.action, "\(action) takes 1 to 60 s")
    }
    return .control(control, seconds: UInt16(number))
  }
}
