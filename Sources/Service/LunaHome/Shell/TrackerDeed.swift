import Diagnosis
import LunaCore
import SafeText

/// What is done when somebody asks something of a tracker.
enum TrackerDeed {
  /// It is told something by radio: `buzz`, `stopSound`, `blink` or `ping`.
  case control(String, seconds: UInt16)
  /// A property of it is set.
  case set(property: String, PropertyValue)
}

extension ManagedProperty {
  /// Why it is not set to a value.
  func refusal(of value: PropertyValue) -> HomeError {
    HomeError(.action, "\(name) does not take \(ForeignText("\(value.json)").limited(to: 200))")
  }
}

extension TrackerEntry {
  private static let controls = [
    "turn_on": "buzz", "turn_off": "stopSound", "blink": "blink", "ping": "ping", "buzz": "buzz",
    "stopSound": "stopSound",
  ]

  /// Whether a device can be told something by radio: all is for its owner, and to ring for who was given that.
  private static func canTell(_ action: String, to device: Device) -> Bool {
    guard let shared = device.shared else { return true }
    return shared.rights.ring != nil && controls[action] == "buzz"
  }

  /// What can be asked of it.
  ///
  /// - Parameter device: what it is; nil for what is none of one's own.
  func actions(of device: Device?) -> [String] {
    let own =
      device.map { device in
        ["turn_on", "turn_off", "blink", "ping"].filter { TrackerEntry.canTell($0, to: device) }
      } ?? []
    let custom = propertyNames.flatMap { name -> [String] in
      guard let property = properties[name], property.canBeSet else { return [] }
      return property.actions.map(\.name) + ["set:" + name]
    }
    return own + custom
  }

  /// What an action is.
  func deed(
    _ action: String, _ value: PropertyValue?, _ device: Device?
  ) throws(HomeError) -> TrackerDeed {
    for name in propertyNames {
      guard let property = properties[name], property.canBeSet else { continue }
      if action == "set:" + name {
        guard let value else { throw HomeError(.action, "\(name) is to be set to no value") }
        guard property.takes(value) else { throw property.refusal(of: value) }
        return .set(property: name, value)
      }
      if let known = property.actions.first(where: { $0.name == action }) {
        return .set(property: name, known.value)
      }
    }
    guard let device, let control = TrackerEntry.controls[action] else {
      // A broker may bring anything, and much of it.
      throw HomeError(.action, "\(id) has no action \(ForeignText(action).limited(to: 60))")
    }
    guard TrackerEntry.canTell(action, to: device) else {
      throw HomeError(
        .action, "the owner of \(id) has not shared that it may be told this",
        remedy: "ask its owner")
    }
    guard let value else { return .control(control, seconds: 12) }
    guard let number = value.number, (1...60).contains(number) else {
      throw HomeError(.action, "\(action) takes 1 to 60 s")
    }
    return .control(control, seconds: UInt16(number))
  }
}
