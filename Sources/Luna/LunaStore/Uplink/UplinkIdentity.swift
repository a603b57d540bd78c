/// Who makes uplink checks, for servers: made up, so that it tells nothing of the machine or its owner. A server
/// that has lost a test knows by it that whoever comes again is no other one (UPLINK.md, 5.4).
package struct UplinkIdentity: Hashable, Sendable {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// The name; the same for ever.
  package let user: String
  /// How many tests it has made; under this number, with the name, a server keeps the last one's result.
  package let history: Int64

  /// A name that nobody else has: ten letters and digits.
  static func makeUser() -> String {
    String(
      decoding: (0..<10).map { _ in letters[Int.random(in: letters.indices)] }, as: UTF8.self)
  }

  /// Whether a name is one that servers take (UPLINK.md, 13).
  static func isUser(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { letters.contains($0) || "@_-".utf8.contains($0) }
  }
}
