import SafeText

/// A text with names in double braces, for which values are put in.
package struct MessageTemplate: Hashable, Sendable {
  /// What a value is put into, and how it is encoded there.
  package enum Place: Sendable {
    /// Text for people: what steers a terminal or breaks a line is written out.
    case text
    /// The inside of a JSON string.
    case json
    /// A part of an address, or a form.
    case url
    /// Bytes that nobody interprets.
    case raw
  }

  private enum Part: Hashable {
    case text(Substring)
    case name(String)
  }

  private let parts: [Part]

  /// Reads a text. Braces that are not closed are text.
  package init(_ text: String) {
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.firstRange(ofText: "{{"),
      let end = rest[start.upperBound...].firstRange(ofText: "}}")
    {
      if start.lowerBound > rest.startIndex { parts.append(.text(rest[..<start.lowerBound])) }
      let name = rest[start.upperBound..<end.lowerBound]
      parts.append(.name(String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())))
      rest = rest[end.upperBound...]
    }
    if !rest.isEmpty { parts.append(.text(rest)) }
    self.parts = parts
  }

  /// The names, in their order.
  package var names: [String] {
    parts.compactMap { if case .name(let name) = $0 { name } else { nil } }
  }

  /// The text with the values in it; what has none leaves nothing.
  package func filled(for place: Place, _ value: (String) -> String?) -> String {
    parts.map { part in
      switch part {
      case .text(let text): String(text)
      case .name(let name): value(name).map { place.encode($0) } ?? ""
      }
    }.joined()
  }
}

extension MessageTemplate.Place {
  /// A value as it stands there.
  package func encode(_ value: String) -> String {
    switch self {
    case .text: EscapedText.line(value)
    case .json:
      String(JSONEscape.quoted(value).dropFirst().dropLast())
    case .url: PercentEncoding.encode(value)
    case .raw: value
    }
  }
}
