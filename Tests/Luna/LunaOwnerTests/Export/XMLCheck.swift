/// Whether a text is well-formed enough: elements nest, attributes are quoted, and every `&` begins
/// one of the five entities.
enum XMLCheck {
  static func isWellFormed(_ text: String) -> Bool {
    var open: [Substring] = []
    var roots = 0
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      guard isText(rest[..<start]) else { return false }
      guard let end = rest[start...].firstIndex(of: ">") else { return false }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("?") { continue }
      if tag.hasPrefix("/") {
        guard let last = open.popLast(), last == tag.dropFirst() else { return false }
        continue
      }
      guard tag.filter({ $0 == "\"" }).count % 2 == 0, isText(tag) else { return false }
      if open.isEmpty { roots += 1 }
      if !tag.hasSuffix("/") { open.append(tag.prefix { $0 != " " && $0 != "\n" }) }
    }
    return open.isEmpty && roots == 1 && rest.allSatisfy(\.isWhitespace)
  }

  private static func isText(_ text: Substring) -> Bool {
    text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
      ["amp;", "lt;", "gt;", "quot;", "apos;"].contains { part.hasPrefix($0) }
    }
  }
}
