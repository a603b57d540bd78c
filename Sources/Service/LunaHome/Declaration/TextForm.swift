import LunaShare

/// What a text has to look like.
struct TextForm: Sendable {
  /// How it is called in a sentence.
  let name: String
  /// The same as a regular expression of JSON Schema; nil where every text is right.
  let pattern: String?
  /// What is wrong with a text that does not look like it.
  let code: Problem.Code
  let example: String
  let accepts: @Sendable (String) -> Bool

  static let plain = TextForm(
    name: "a text", pattern: nil, code: .range, example: "text", accepts: { _ in true })
  static let filled = TextForm(
    name: "a text that is not empty", pattern: "^[\\s\\S]", code: .range, example: "text",
    accepts: { !$0.isEmpty })
  static let identifier = TextForm(
    name: "an id of letters, digits, '-', '_' and '.', at most 64",
    pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$", code: .range, example: "front-door"
  ) { text in
    guard let first = text.utf8.first, isWord(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { isWord($0) || "_.-".utf8.contains($0) }
  }
  static let duration = TextForm(
    name: "a duration", pattern: "^[0-9]{1,9}(ms|s|m|h|d)$", code: .badTime, example: "2m",
    accepts: { HomeDuration($0) != nil })
  static let clockTime = TextForm(
    name: "a time of day", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$",
    code: .badTime, example: "08:00", accepts: { ClockTime($0) != nil })
  static let date = TextForm(
    name: "a date", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", code: .badTime,
    example: "2026-12-31", accepts: { CivilDate($0) != nil })
  static let zone = TextForm(
    name: "a time zone", pattern: "^[A-Za-z0-9][A-Za-z0-9_+/-]*$", code: .badZone,
    example: "Europe/Berlin"
  ) { text in
    guard let first = text.utf8.first, isWord(first) else { return false }
    return text.utf8.allSatisfy { isWord($0) || "_+/-".utf8.contains($0) }
  }
  static let color = TextForm(
    name: "a colour", pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$", code: .range,
    example: "#1f6feb", accepts: { HomeColor($0) != nil })
  static let filter = TextForm(
    name: "a filter", pattern: "^[\\s\\S]", code: .badFilter, example: "rssi > -70",
    accepts: { !$0.isEmpty })
  static let url = TextForm(
    name: "an address that begins with http:// or https://", pattern: "^https?://[^/\\s]",
    code: .range, example: "https://example.org/hook"
  ) { text in
    for scheme in ["https://", "http://"] where text.utf8.starts(with: scheme.utf8) {
      guard let first = text.unicodeScalars.dropFirst(scheme.utf8.count).first else { return false }
      return first != "/" && !first.properties.isWhitespace
    }
    return false
  }

  static let card = TextForm(
    name: "a contact card", pattern: "^LUNACARD:1:", code: .range, example: "LUNACARD:1:…"
  ) { text in
    text.utf8.starts(with: ContactCard.prefix.utf8) && (try? ContactCard(text: text)) != nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
