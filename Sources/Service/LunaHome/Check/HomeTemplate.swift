import SafeText

/// The file of a home that begins.
public enum HomeTemplate {
  /// A tracker that the file is to name.
  public struct Tracker: Sendable {
    /// The uuid of the device.
    public let device: String
    /// Its name, by whoever gave it.
    public let name: String

    /// A tracker; its name is escaped when the file is written.
    public init(device: String, name: String) {
      self.device = device
      self.name = name
    }
  }

  /// A commented file with these trackers.
  public static func text(_ trackers: [Tracker]) -> String {
    var ids: Set<String> = []
    let lines = trackers.map { tracker in
      let id = identifier(tracker.name, &ids)
      return "    { \"id\": \(JSONEscape.quoted(id)), "
        + "\"device\": \(JSONEscape.quoted(tracker.device)), "
        + "\"name\": \(JSONEscape.quoted(tracker.name)) },\n"
    }.joined()
    return """
      // A Luna home. Comments and commas at the end of a list are fine here.
      // Every key may be left out; {} is a whole file. Examples count without their slashes.
      {
        "version": 1,
        // What it is called. Where nothing stands here, the app asks for it.
        // "name": "Home",

        // One's own trackers: "id" is how rules call one.
        "trackers": [
      \(lines)  ],

        // Circles on the map that trackers enter and leave.
        "places": [
          // { "id": "home", "name": "Home", "latitude": 52.5163, "longitude": 13.3777, "radius": 80 },
        ],

        // Who is told.
        "contacts": [
          // { "id": "me", "name": "Me", "email": "me@example.org" },
        ],

        // The ways to people. A password stands in a file or a variable, never here.
        "notifications": {
          "channels": [
            // { "id": "mail", "type": "email", "host": "mail.example.org", "from": "home@example.org",
            //   "user": "home", "password": { "file": "/etc/luna/mail-password" } },
          ],
        },

        // What is to happen when something has happened: others have heard the keys elsewhere, or they are heard
        // here again.
        "rules": [
          // { "id": "keys-left", "when": [ { "exit": { "who": "keys", "place": "home" } } ],
          //   "then": [ { "notify": { "to": "me" } } ] },
          // { "id": "keys-back", "when": [ { "beaconIn": { "who": "keys" } } ],
          //   "then": [ { "notify": { "to": "me", "template": "{{tracker.name}} came home" } } ] },
        ],
      }

      """
  }

  /// An id of the letters and digits of a name, which no other tracker has.
  private static func identifier(_ name: String, _ taken: inout Set<String>) -> String {
    var id = ""
    for scalar in name.lowercased().unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9": id.unicodeScalars.append(scalar)
      default: if !id.isEmpty, !id.hasSuffix("-") { id += "-" }
      }
    }
    id = String(id.prefix(48))
    while id.hasSuffix("-") { id.removeLast() }
    if id.isEmpty { id = "tracker" }
    var free = id
    var number = 2
    while !taken.insert(free).inserted {
      free = "\(id)-\(number)"
      number += 1
    }
    return free
  }
}
