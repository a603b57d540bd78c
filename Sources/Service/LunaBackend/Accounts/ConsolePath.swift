/// Where a browser goes after signing in: a page of the console, whatever it was sent here with.
struct ConsolePath: Hashable, Sendable {
  /// The first page.
  static let start = ConsolePath(path: "/ui/")

  /// Path and query.
  let path: String

  private init(path: String) { self.path = path }

  /// Reads what stands in an address.
  ///
  /// - Returns: nil for everything but the path of a page here. Browsers take a backslash for a slash, leave
  ///   out tabs and line ends, and follow dots upwards.
  init?(_ text: String) {
    guard text.hasPrefix("/ui/"), text.utf8.count <= 1024,
      text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }),
      !text.contains("#")
    else { return nil }
    let path = text.prefix { $0 != "?" }
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard segments.dropLast().allSatisfy({ !$0.isEmpty }),
      !segments.contains(where: ConsolePath.isDots)
    else { return nil }
    self.path = text
  }

  private static func isDots(_ segment: Substring) -> Bool {
    var rest = segment.lowercased()[...]
    var dots = 0
    while !rest.isEmpty {
      if rest.hasPrefix(".") {
        rest = rest.dropFirst()
      } else if rest.hasPrefix("%2e") {
        rest = rest.dropFirst(3)
      } else {
        return false
      }
      dots += 1
    }
    return dots > 0
  }
}
