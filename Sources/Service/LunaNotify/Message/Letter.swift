import Bluetooth
import LunaCore
import LunaHome
import LunaJSON
import SafeText

/// What goes out at once: one message, or several as one.
struct Letter: Sendable {
  /// Older news say when they happened.
  static let lateAfter: Int64 = 300_000_000
  /// More lines are only counted.
  static let longest = 50

  let messages: [Message]
  let title: String
  let text: String
  let level: Message.Level
  /// Whether it happened some time ago.
  let isLate: Bool

  /// - Parameters:
  ///   - messages: at least one.
  ///   - isDigest: whether they come from several rules.
  ///   - now: µs since 1970.
  init(
    _ messages: [Message], isDigest: Bool, at now: Int64, _ settings: NotificationSettings
  ) {
    self.messages = messages
    let oldest = messages.map(\.at).min() ?? now
    let isLate = now - oldest > Letter.lateAfter
    self.isLate = isLate
    level =
      messages.contains { $0.level == .alarm }
      ? .alarm : messages.contains { $0.level == .warn } ? .warn : .info
    let first = messages.first
    let rule = first?.ruleName ?? ""
    if messages.count == 1 {
      title = EscapedText.line("\(settings.home): \(rule)")
      let late = isLate ? "Late, this was at \(settings.clockText(oldest / 1_000_000)): " : ""
      text = late + (first.map(Letter.line) ?? "")
      return
    }
    title = EscapedText.line(
      isDigest
        ? "\(settings.home): \(messages.count) notifications"
        : "\(settings.home): \(rule) (\(messages.count))")
    var lines = messages.prefix(Letter.longest).map { message in
      let seconds = message.at / 1_000_000
      let time = isLate ? settings.clockText(seconds) : settings.timeText(seconds)
      let name = isDigest ? EscapedText.line(message.ruleName) + ": " : ""
      return "\(time) \(name)\(Letter.line(message))"
    }
    if isLate { lines.insert("Late:", at: 0) }
    let left = messages.count - Letter.longest
    if left > 0 { lines.append("and \(left) more") }
    text = lines.joined(separator: "\n")
  }

  private static func line(_ message: Message) -> String {
    guard let position = message.position else { return message.text }
    return "\(message.text) (\(coordinate(position.latitude)), \(coordinate(position.longitude)), "
      + "±\(Int(min(position.accuracy.rounded(), 1e9))) m)"
  }

  /// Degrees with five digits after the point: a metre.
  private static func coordinate(_ degrees: Double) -> String {
    let whole = Int64((abs(degrees) * 100_000).rounded())
    let digits = String(whole % 100_000)
    return (degrees < 0 && whole > 0 ? "-" : "") + "\(whole / 100_000)."
      + String(repeating: "0", count: 5 - digits.utf8.count) + digits
  }

  /// The ids of the firings, as they stand in a header.
  var firings: [String] {
    messages.map { message in
      String(String.UnicodeScalarView(message.firing.unicodeScalars.filter { $0.isHeaderWord }))
    }
  }

  /// The first link.
  var link: String { messages.first { !$0.link.isEmpty }?.link ?? "" }

  /// The file that goes with it.
  var enclosure: Message.Enclosure? { messages.first?.enclosure }

  /// What a browser shows, as JSON of at most so many bytes; a long text is cut.
  func pushed(within limit: Int) -> [UInt8] {
    var text = self.text
    while true {
      var object: JSONObject = [
        "title": .string(String(title.unicodeScalars.prefix(200))), "text": .string(text),
        "level": .string(level.rawValue), "tag": .string(firings.last ?? ""),
      ]
      if link.utf8.count < 512, !link.isEmpty { object.append("link", .string(link)) }
      let bytes = JSONValue.object(object).bytes
      if bytes.count <= limit { return bytes }
      text = String(text.unicodeScalars.prefix(text.unicodeScalars.count * 3 / 4)) + "…"
    }
  }

  /// All of it for a program.
  var json: JSONValue {
    var object: JSONObject = [
      "type": "notification", "firing": .string(messages.first?.firing ?? ""),
      "firings": .array(messages.map { .string($0.firing) }),
      "time": .string(Letter.time(messages.first?.at ?? 0)), "level": .string(level.rawValue),
      "title": .string(title), "text": .string(text), "late": .bool(isLate),
    ]
    if !link.isEmpty { object.append("link", .string(link)) }
    object.append("messages", .array(messages.map(Letter.json)))
    return .object(object)
  }

  static func json(_ message: Message) -> JSONValue {
    var object: JSONObject = [
      "firing": .string(message.firing), "time": .string(time(message.at)),
      "rule": .string(message.rule), "ruleName": .string(message.ruleName),
      "level": .string(message.level.rawValue), "trigger": .string(message.trigger),
      "text": .string(message.text),
    ]
    for (name, value) in [
      ("tracker", message.tracker), ("trackerName", message.trackerName),
      ("place", message.placeName), ("value", message.value), ("link", message.link),
    ] where !value.isEmpty { object.append(name, .string(value)) }
    if let position = message.position {
      object.append("latitude", .real(position.latitude))
      object.append("longitude", .real(position.longitude))
      object.append("horizontalAccuracy", .real(position.accuracy))
    }
    return .object(object)
  }

  private static func time(_ at: Int64) -> String { Timestamp(microseconds: at).rfc3339 }
}

extension UnicodeScalar {
  fileprivate var isHeaderWord: Bool { (0x21..<0x7F).contains(value) && self != "," }
}
