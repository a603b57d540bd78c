import LunaHome

@testable import LunaNotify

/// Homes and messages for tests.
enum Homes {
  /// A file with a channel of each kind, and two contacts; one is quiet at night.
  static func configuration(_ more: String = "", limits: String = "") -> HomeConfiguration {
    let text = """
      { "name": "Zuhause",
        "trackers": [ { "id": "keys", "name": "Keys" } ],
        "places": [ { "id": "home", "name": "Home", "latitude": 52.5, "longitude": 13.4, "radius": 80 } ],
        "exec": { "bell": ["/bin/cat"] },
        "server": { "publicUrl": "https://luna.example" },
        "contacts": [
          { "id": "me", "name": "Jürgen", "email": "me@example.org", "phone": "+49 1", "ntfy": "mine",
            "quiet": [ { "from": "22:00", "to": "07:00" } ] },
          { "id": "you", "email": "you@example.org" },
          { "id": "nobody" } ],
        "notifications": {
          "templates": { "left": "{{tracker.name}} fort aus {{ place.name }} um {{time}}" },
          "limits": { \(limits) },
          "channels": [
            { "id": "mail", "type": "email", "host": "mail.example.org", "from": "home@example.org" },
            { "id": "push", "type": "ntfy", "url": "https://ntfy.example", "topic": "t" },
            { "id": "hook", "type": "webhook", "url": "https://hook.example/x", "details": true },
            { "id": "text", "type": "sms", "url": "https://sms.example/?to={{phone}}&text={{message}}",
              "method": "GET" },
            { "id": "bell", "type": "command", "name": "bell" } ] },
        "rules": [ { "id": "left", "name": "Keys left", "when": [ { "message": "m" } ],
          "then": [ { "notify": {} } ] } ]
        \(more)
      }
      """
    let file = HomeFile(Array(text.utf8))
    precondition(file.isUsable, file.problems.map { $0.description(file: "home") }.joined())
    return HomeConfiguration(file)
  }

  /// An entry for a contact of the channel `mail`.
  static func entry(
    _ id: Int64, at: Int64, rule: String = "left", contact: String = "you",
    level: Message.Level = .info
  ) -> OutboxEntry {
    var entry = OutboxEntry(
      Message(
        firing: "\(rule)-\(id)", rule: rule, ruleName: "Rule \(rule)", level: level, at: at,
        text: "text \(id)"), number: 0, channel: "mail", contact: contact)
    entry.id = id
    return entry
  }

  /// Noon of a day, µs since 1970.
  static let noon: Int64 =
    1_780_000_000_000_000 / 86_400_000_000 * 86_400_000_000
    + 12 * 3_600_000_000
  static let second: Int64 = 1_000_000
}
