import Bluetooth
package import LunaHome
import LunaJSON

/// What somebody is told, before it is put into the form of a channel.
package struct Message: Hashable, Sendable {
  /// How loud it is.
  package enum Level: String, Sendable {
    case info, warn, alarm
  }

  /// The firing of the rule.
  package var firing: String
  package var rule: String
  package var ruleName: String
  package var level: Level
  /// When it happened, µs since 1970.
  package var at: Int64
  /// The text, with the values in it.
  package var text: String
  /// The name of the rule's trigger.
  package var trigger = ""
  /// The tracker's id and name; empty without one.
  package var tracker = ""
  package var trackerName = ""
  package var placeName = ""
  package var value = ""
  package var link = ""
  /// Where the tracker is, for channels that may say it.
  package var position: Position?
  /// A file for one person, which goes by mail alone.
  package var enclosure: Enclosure?

  /// A file, and whom it is for.
  package struct Enclosure: Hashable, Sendable {
    package var person: String
    package var address: String
    /// What the file is called: ASCII letters and digits, `-` and `.`.
    package var name: String
    /// The file in Base64.
    package var content: String

    package init(person: String, address: String, name: String, content: String) {
      self.person = person
      self.address = address
      self.name = name
      self.content = content
    }
  }

  /// A place on the map.
  package struct Position: Hashable, Sendable {
    package var latitude: Double
    package var longitude: Double
    /// m.
    package var accuracy: Double

    package init(latitude: Double, longitude: Double, accuracy: Double) {
      self.latitude = latitude
      self.longitude = longitude
      self.accuracy = accuracy
    }
  }

  package init(
    firing: String, rule: String, ruleName: String, level: Level, at: Int64, text: String
  ) {
    self.firing = firing
    self.rule = rule
    self.ruleName = ruleName
    self.level = level
    self.at = at
    self.text = text
  }

  /// The value of a name in a template; nil for a name that means nothing here.
  package func value(of name: String, _ settings: NotificationSettings) -> String? {
    switch name {
    case "tracker.name": trackerName
    case "place.name": placeName
    case "value": value
    case "time": settings.clockText(at / 1_000_000)
    case "rule.name": ruleName
    case "link": link
    default: nil
    }
  }
}

extension Message {
  /// The message as it is kept.
  var json: JSONValue {
    var object: JSONObject = [
      "firing": .string(firing), "rule": .string(rule), "ruleName": .string(ruleName),
      "level": .string(level.rawValue), "at": .integer(at), "text": .string(text),
    ]
    for (name, value) in [
      ("trigger", trigger), ("tracker", tracker), ("trackerName", trackerName),
      ("placeName", placeName), ("value", value), ("link", link),
    ] where !value.isEmpty { object.append(name, .string(value)) }
    if let position {
      object.append("latitude", .real(position.latitude))
      object.append("longitude", .real(position.longitude))
      object.append("accuracy", .real(position.accuracy))
    }
    if let enclosure {
      object.append(
        "enclosure",
        [
          "person": .string(enclosure.person), "address": .string(enclosure.address),
          "name": .string(enclosure.name), "content": .string(enclosure.content),
        ])
    }
    return .object(object)
  }

  /// Reads what was kept; nil for anything else.
  init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    func text(_ name: String) -> String {
      if case .string(let text)? = object[name] { text } else { "" }
    }
    func number(_ name: String) -> Double? {
      switch object[name] {
      case .real(let number)?: number
      case .integer(let number)?: Double(number)
      default: nil
      }
    }
    guard case .integer(let at)? = object["at"],
      Timestamp.plausible.contains(Timestamp(microseconds: at)),
      let level = Level(rawValue: text("level"))
    else { return nil }
    self.init(
      firing: text("firing"), rule: text("rule"), ruleName: text("ruleName"), level: level, at: at,
      text: text("text"))
    trigger = text("trigger")
    tracker = text("tracker")
    trackerName = text("trackerName")
    placeName = text("placeName")
    value = text("value")
    link = text("link")
    if let latitude = number("latitude"), let longitude = number("longitude"),
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    {
      position = Position(
        latitude: latitude, longitude: longitude, accuracy: max(0, number("accuracy") ?? 0))
    }
    if case .object(let kept)? = object["enclosure"] {
      func member(_ name: String) -> String {
        if case .string(let text)? = kept[name] { text } else { "" }
      }
      enclosure = Enclosure(
        person: member("person"), address: member("address"), name: member("name"),
        content: member("content"))
    }
  }
}
