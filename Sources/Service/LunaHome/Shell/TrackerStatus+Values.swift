import LunaProtocol

extension TrackerStatus {
  /// What it says of the battery, as properties of a tracker; nothing where it does not tell.
  var batteryValues: [(name: String, value: PropertyValue)] {
    let word: String
    switch battery {
    case .unknown: return []
    case .normal: word = "normal"
    case .low: word = "low"
    case .critical: word = "critical"
    }
    return [("battery", .text(word)), ("batteryLow", .bool(battery.isLow == true))]
  }

  /// Whether it sounds, as a property.
  var soundValue: PropertyValue { .text(isSounding ? "on" : "off") }
}
