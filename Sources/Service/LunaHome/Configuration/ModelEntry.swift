import SafeText

/// A model of the file: what trackers of a kind can do (HOME.md 3.3).
struct ModelEntry: Sendable {
  /// Its oemModel.
  let name: String
  /// The class of its devices.
  let className: String
  let icon: String?
  let properties: [String: ManagedProperty]
  /// The names of ``properties``, in the order of the file.
  let propertyNames: [String]
  /// The filters that an advertisement has to pass to be of a tracker of this model; empty where
  /// trackers can only name it.
  let filters: [String]

  init?(_ node: SourceNode) {
    guard let name = node["oemModel"]?.text else { return nil }
    self.name = name
    className = node["class"]?.text ?? "Device"
    icon = node["icon"]?.text
    var properties: [String: ManagedProperty] = [:]
    var names: [String] = []
    for property in node["managedProperties"]?.elements ?? [] {
      guard let name = property["name"]?.text else { continue }
      if properties[name] == nil { names.append(name) }
      properties[name] = ManagedProperty(name, property)
    }
    self.properties = properties
    propertyNames = names
    filters =
      [
        node["advertisementMatch"]?.text, node["ssidRegex"]?.text.map(ModelEntry.filter(ofName:)),
      ].compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// The filter that a regular expression for names stands for.
  static func filter(ofName expression: String) -> String {
    "name ~ \"" + expression.replacing(text: "\"", with: ".") + "\""
  }
}
