/// A tracker as rules know it.
struct TrackerEntry: Sendable {
  let id: String
  let name: String
  /// Whether the file says its name; else that of its device may say more.
  private(set) var isNamed = true
  /// Its device, by uuid or name; nil for what is none of one's own.
  let device: String?
  /// The filter that a foreign beacon's advertisements pass; nil for what is none.
  var match: String?
  let tags: [String]
  private(set) var properties: [String: ManagedProperty]
  /// The names of ``properties``, in the order of the model.
  private(set) var propertyNames: [String] = []
  /// The oemModel of its model; nil for a built-in one.
  private(set) var model: String?
  /// Whether its advertisements say of which model it is, since the file does not.
  private(set) var takesModel = false
  var icon: String?
  /// For how many days values are kept as they came.
  var keepDays: Int64 = 90
  /// What other programs learn of where it is.
  var precision = Precision.exact

  /// What other programs learn of where a tracker is.
  enum Precision: String, Sendable { case exact, zone, off }

  init(
    id: String, name: String, device: String? = nil, tags: [String] = [],
    properties: [String: ManagedProperty] = [:]
  ) {
    self.id = id
    self.name = name
    self.device = device
    self.tags = tags
    self.properties = properties
  }

  init?(_ node: SourceNode, models: [ModelEntry]) {
    let (name, device) = (node["name"]?.text, node["device"]?.text)
    guard let id = node["id"]?.text ?? name ?? device else { return nil }
    self.init(
      id: id, name: name ?? id, device: device,
      tags: (node["tags"]?.elements ?? []).compactMap(\.text))
    isNamed = name != nil
    match = node["match"]?.text
    takesModel = node["model"] == nil && (device != nil || match != nil)
    icon = node["icon"]?.text
    if let model = models.first(where: { $0.name == node["model"]?.text }) { adopt(model) }
    keepDays = node["keepDays"]?.integer ?? 90
    precision = node["precision"]?.text.flatMap { Precision(rawValue: $0) } ?? .exact
  }

  /// It is of a model.
  mutating func adopt(_ model: ModelEntry) {
    self.model = model.name
    properties = model.properties
    propertyNames = model.propertyNames
    icon = icon ?? model.icon
  }

  /// Whether it sends anything; false for a thing of custom properties only.
  var canBeHeard: Bool { device != nil || match != nil }

  /// The name of its model, as others see it.
  var modelName: String {
    model ?? (device != nil ? "luna-tracker" : match != nil ? "beacon" : "thing")
  }

  /// What is offered of it: what its model manages, else all that its kind has.
  var offered: [String] {
    if model != nil { return propertyNames }
    if device != nil { return TrackerEntry.ofTrackers }
    if match != nil { return TrackerEntry.ofBeacons }
    return id == "self" ? ["location", "zone", "zones"] : []
  }

  private static let ofBeacons = [
    "rssi", "present", "battery", "lastSeen", "heardBy", "family", "identifier",
  ]
  private static let ofTrackers = [
    "battery", "batteryLow", "rssi", "present", "location", "zone", "zones", "lastSeen", "heardBy",
    "drift", "clockDaysLeft", "connectable", "separated", "sound", "firmware", "family",
    "identifier",
  ]

  /// How one of its properties is kept.
  func property(_ name: String) -> ManagedProperty { properties[name] ?? .unmanaged(name) }

  /// Whether a rule means it by this word.
  func isMeant(by word: String) -> Bool {
    id == word || name == word || device == word || tags.contains(word)
  }
}
