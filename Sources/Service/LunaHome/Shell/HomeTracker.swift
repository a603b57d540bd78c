public import LunaJSON

/// A tracker of a home, and all that is known of it.
public struct HomeTracker: Hashable, Sendable {
  /// How rules and programs call it.
  public let id: String
  /// How people call it.
  public let name: String
  /// The uuid of the device, where it is an onboarded one.
  public let device: String?
  /// The oemModel of its model.
  public let model: String
  /// Its picture; nil for that of its model.
  public let icon: String?
  /// Words that rules name several trackers by.
  public let tags: [String]
  /// What can be asked of it by ``LunaHome/perform(_:on:value:)``: `turn_on`, `turn_off`, `blink` and
  /// `ping` of one's own trackers, `turn_on` where somebody else shares that, and `set:PROPERTY` of what can be set.
  public let actions: [String]
  /// Its properties, by their names.
  public let values: [HomeValue]
  /// Until when somebody else shares it, µs since 1970; nil for one's own.
  public let sharedUntil: Int64?

  /// The value of a property.
  public subscript(name: String) -> HomeValue? { values.first { $0.name == name } }

  /// It as JSON.
  public var json: JSONValue {
    var object = JSONObject()
    for value in values { object.append(value.name, value.json) }
    let until = sharedUntil.map { HomeTime.json($0) } ?? .null
    return [
      "id": .string(id), "name": .string(name), "device": device.map { .string($0) } ?? .null,
      "model": .string(model), "icon": icon.map { .string($0) } ?? .null,
      "tags": .array(tags.map { .string($0) }), "actions": .array(actions.map { .string($0) }),
      "properties": .object(object), "sharedUntil": until,
    ]
  }
}
