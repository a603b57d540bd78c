package import LunaShare

/// How people are told, as a file says it (HOME.md 7).
package struct NotificationSettings: Sendable {
  /// Somebody who is told.
  package struct Contact: Sendable {
    package let id: String
    package let name: String
    package let email: String?
    package let phone: String?
    /// Their topic.
    package let ntfy: String?
    /// Whether their browsers are told.
    package let hasBrowsers: Bool
    /// What they gave to share trackers with them.
    package let card: ContactCard?
    let quiet: [QuietHours]
  }

  /// How the home is called.
  package let home: String
  package let channels: [NotificationChannel]
  package let contacts: [Contact]
  package let templates: [String: String]
  /// Within this time the messages of a rule become one.
  package let group: HomeDuration
  /// More of a channel within an hour become a digest.
  package let perHour: Int
  /// The limit of a request.
  package let timeLimit: Duration
  /// The programs that may be started, by their names.
  package let programs: [String: [String]]
  /// The address of the app, in links.
  package let link: String?
  private let zone: ZoneRules

  init(_ root: SourceNode, zone: ZoneRules, quiet: [String: [QuietHours]]) {
    let notifications = root["notifications"]
    home = root["name"]?.text ?? "Home"
    channels = (notifications?["channels"]?.elements ?? []).compactMap { NotificationChannel($0) }
    contacts = (root["contacts"]?.elements ?? []).compactMap { node in
      guard let id = node["id"]?.text else { return nil }
      return Contact(
        id: id, name: node["name"]?.text ?? id, email: node["email"]?.text,
        phone: node["phone"]?.text, ntfy: node["ntfy"]?.text,
        hasBrowsers: node["push"]?.bool ?? false,
        card: node["card"]?.text.flatMap { try? ContactCard(text: $0) }, quiet: quiet[id] ?? [])
    }
    let texts = (notifications?["templates"]?.members ?? []).compactMap { member in
      member.value.text.map { (member.name, $0) }
    }
    templates = Dictionary(texts) { $1 }
    group = notifications?["limits"]?["group"]?.duration ?? .seconds(30)
    perHour = Int(notifications?["limits"]?["perHour"]?.integer ?? 30)
    timeLimit = .milliseconds(root["sdkConfig"]?["defaultNetworkTimeoutMs"]?.integer ?? 5000)
    let programs = (root["exec"]?.members ?? []).map {
      ($0.name, $0.value.elements.compactMap(\.text))
    }
    self.programs = Dictionary(programs) { $1 }
    link = root["server"]?["publicUrl"]?.text
    self.zone = zone
  }

  /// The channel of an id.
  package func channel(_ id: String) -> NotificationChannel? { channels.first { $0.id == id } }

  /// The contact of an id.
  package func contact(_ id: String) -> Contact? { contacts.first { $0.id == id } }

  /// The end of the quiet hours that a contact has at a moment, seconds since 1970; nil where there are
  /// none. Hours that follow each other without a break are one; nobody is quiet for more than a week.
  package func quietEnd(of id: String, at seconds: Int64) -> Int64? {
    guard let quiet = contact(id)?.quiet else { return nil }
    var end = seconds
    while end - seconds < 7 * 86_400,
      let window = quiet.first(where: { $0.window.contains(end) })?.window
    {
      end = window.end(after: end)
    }
    return end > seconds ? end : nil
  }

  /// A moment as the clock of the box shows it: `2026-12-31 23:59`.
  package func clockText(_ seconds: Int64) -> String {
    let (day, second) = zone.local(seconds)
    return "\(day) \(NotificationSettings.clock(second))"
  }

  /// The same without the day.
  package func timeText(_ seconds: Int64) -> String {
    NotificationSettings.clock(zone.local(seconds).second)
  }

  private static func clock(_ second: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    return "\(two(second / 3600)):\(two(second / 60 % 60))"
  }
}
