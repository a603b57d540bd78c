/// What a file says, as rules need it. It is a value: a new file makes a new one.
public struct HomeConfiguration: Sendable {
  /// How the home is called.
  public let name: String
  private(set) var trackers: [TrackerEntry]
  let models: [ModelEntry]
  /// The place of each adapter that the file gives one.
  let adapters: [String: Place]
  let places: [Place]
  let rules: [Rule]
  let contacts: [String: [QuietHours]]
  let defaultRecipients: [String]
  /// How trackers of others are watched.
  let watch: WatchSetup
  /// The time zone of the box.
  package let zone: ZoneRules
  /// How people are told.
  package let notifications: NotificationSettings

  /// What a file says.
  ///
  /// - Parameters:
  ///   - file: one that can be used.
  ///   - systemZone: the time zone where the file names none.
  ///   - zone: reads a time zone by its name.
  public init(
    _ file: HomeFile, systemZone: ZoneRules = .utc,
    zone: @escaping @Sendable (String) -> ZoneRules? = { _ in nil }
  ) {
    let root = file.root
    let own = root["box"]?["zone"]?.text.flatMap(zone)
    let zones = ZoneBook(usual: own ?? systemZone, zone)
    self.zone = zones.usual
    let models = (root["devices"]?.elements ?? []).compactMap { ModelEntry($0) }
    self.models = models
    name = root["name"]?.text ?? "Home"
    var trackers = (root["trackers"]?.elements ?? []).compactMap {
      TrackerEntry($0, models: models)
    }
    if !trackers.contains(where: { $0.id == "self" }) {
      trackers.append(TrackerEntry(id: "self", name: "self"))
    }
    self.trackers = trackers
    let places = (root["places"]?.elements ?? []).compactMap { Place($0) }
    self.places = places
    var adapters: [String: Place] = [:]
    for member in root["box"]?["adapters"]?.members ?? [] {
      adapters[member.name] = places.first { $0.id == member.value.text }
    }
    self.adapters = adapters
    rules = ((root["rules"]?.elements ?? []) + (root["schedules"]?.elements ?? [])).compactMap {
      Rule($0, zones)
    }
    var contacts: [String: [QuietHours]] = [:]
    for contact in root["contacts"]?.elements ?? [] {
      guard let id = contact["id"]?.text else { continue }
      contacts[id] = (contact["quiet"]?.elements ?? []).compactMap { QuietHours($0, zones) }
    }
    self.contacts = contacts
    watch = WatchSetup(root["watch"])
    defaultRecipients = (root["notifications"]?["default"]?.elements ?? []).compactMap(\.text)
    notifications = NotificationSettings(root, zone: zones.usual, quiet: contacts)
  }

  /// The same, with the models that trackers were found to be of by their advertisements.
  func with(_ models: [String: String]) -> HomeConfiguration {
    var other = self
    for index in trackers.indices where trackers[index].takesModel {
      guard let name = models[trackers[index].id],
        let model = self.models.first(where: { $0.name == name })
      else { continue }
      other.trackers[index].adopt(model)
    }
    return other
  }

  /// The trackers that a rule means, in the order of the file; all but the box itself without a word.
  func meant(by who: String?) -> [TrackerEntry] {
    trackers.filter { entry in who.map { entry.isMeant(by: $0) } ?? (entry.id != "self") }
  }
}
