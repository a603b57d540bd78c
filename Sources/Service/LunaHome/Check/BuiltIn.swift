/// What is there without being declared in a file.
enum BuiltIn {
  static let models = ["luna-tracker", "beacon", "foreign-tracker"]

  static let properties: Set<String> = [
    "battery", "batteryLow", "rssi", "present", "location", "zone", "zones", "lastSeen", "heardBy",
    "drift", "clockDaysLeft", "connectable", "separated", "sound", "firmware", "family",
    "identifier",
  ]

  static let screenClasses = [
    "DeviceList", "DeviceDetail", "Map", "Onboard", "Schedules", "Rules", "RuleEditor", "Contacts",
    "Shares", "Watch", "Notifications", "Settings", "About", "SignIn", "Join", "Reset", "Setup",
  ]

  /// The classes in camelCase, and the screen of schedules by its shorter name.
  static let screens = Set(
    screenClasses.map { $0.prefix(1).lowercased() + $0.dropFirst() } + ["schedule"])

  static let controls: Set<String> = [
    "toggle", "slider", "number", "decimal_input", "text", "readonly_text", "choice", "button",
    "color", "badge", "battery", "signal", "map", "sound", "thermostat",
  ]

  static let templateNames: Set<String> = [
    "tracker.name", "place.name", "value", "time", "rule.name", "link",
  ]

  /// What the request of a gateway for text messages can say beside these.
  static let gatewayNames: Set<String> = ["message", "phone"]

  /// What files of this kind name without declaring it: the generic one is taken.
  static func isAssumed(_ name: String) -> Bool {
    name.utf8.starts(with: "amap_".utf8) || name.utf8.starts(with: "ic_".utf8)
  }

  static func isOwn(_ name: String) -> Bool { name.utf8.starts(with: "web:".utf8) }
}
