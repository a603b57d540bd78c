/// The text of a configuration file, in which one setting is changed and all else stays as it is.
struct ConfigurationText {
  /// Without the line feeds.
  private var lines: [String]
  /// What is before a line feed in a file that was written elsewhere.
  private let ending: String

  /// - Parameter text: what the file holds; empty where there is none.
  init(_ text: String) {
    // Together with a carriage return a line feed is one character, and another one.
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    if lines.last == "" { lines.removeLast() }
    ending = lines.first?.hasSuffix("\r") == true ? "\r" : ""
  }

  /// What is to be in the file.
  var text: String { lines.map { $0 + "\n" }.joined() }

  /// Changes a setting of a section, or adds it.
  mutating func set(_ key: String, to value: String, in section: String) {
    let line = "\(key) = \(value)\(ending)"
    let places = entries(of: section).filter { $0.key == key }.map(\.place)
    if let last = places.last {
      // Of several the last one holds.
      lines[last] = line
    } else if let head = lines.lastIndex(where: { ConfigurationText.section($0) == section }) {
      lines.insert(line, at: head + 1)
    } else {
      if !lines.isEmpty { lines.append(ending) }
      lines += ["[\(section)]\(ending)", line]
    }
  }

  /// Takes settings of a section out.
  ///
  /// - Parameter key: which one, wherever it is set; nil for all.
  mutating func clear(_ section: String, of key: String? = nil) {
    for entry in entries(of: section).reversed() where key == nil || entry.key == key {
      lines.remove(at: entry.place)
    }
  }

  /// The settings of a section, which may be there several times.
  private func entries(of section: String) -> [(place: Int, key: String)] {
    var entries: [(place: Int, key: String)] = []
    var current: String?
    for (place, line) in lines.enumerated() {
      if let name = ConfigurationText.section(line) {
        current = name
      } else if current == section, let key = ConfigurationText.key(line) {
        entries.append((place, key))
      }
    }
    return entries
  }

  /// The section that a line begins; nil for other lines.
  private static func section(_ line: String) -> String? {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" })
    let text = words.joined(separator: " ")
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    return text.dropFirst().dropLast().split(separator: " ").joined(separator: " ")
  }

  /// The key that a line sets; nil for other lines.
  private static func key(_ line: String) -> String? {
    guard let first = line.first(where: { $0 != " " && $0 != "\t" }), first != "#",
      let end = line.firstIndex(of: "=")
    else { return nil }
    let words = line[..<end].split(whereSeparator: { $0 == " " || $0 == "\t" })
    return words.count == 1 ? String(words[0]) : nil
  }
}
