/// What a client of Wehe's tells a server of a replay first (UPLINK.md, 5.1):
/// `user;test;replay;extra;history;endOfTest`, from newer ones with `;ownAddress;version`.
package struct WeheDeclaration: Hashable, Sendable {
  private static let limit = 1024
  private static let addressLimit = 45

  /// Who tests.
  package let user: String
  /// Whether it is the control.
  package let isControl: Bool
  /// What is replayed: a key of a table, never a part of a path.
  package let replay: ReplayName
  /// A word that is kept with the result.
  package let extra: String
  /// How many tests this user has made.
  package let history: Int
  /// The address that the client takes for its own; nil where it says none.
  package let ownAddress: String?

  /// Reads the message; nil for anything else.
  init?(_ message: [UInt8]) {
    // Whoever cuts a text into parts first holds as many of them as somebody wants.
    guard message.count <= WeheDeclaration.limit else { return nil }
    let fields = message.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard fields.count == 6 || fields.count == 8, ReplayPlan.isID(fields[0]),
      ["0", "1"].contains(fields[1]), let replay = ReplayName(fields[2]),
      ReplayPlan.isID(fields[3]), let history = Int(fields[4]),
      (0...1_000_000_000).contains(history),
      ["true", "false"].contains(fields[5].lowercased())
    else { return nil }
    user = fields[0]
    isControl = fields[1] == "1"
    self.replay = replay
    extra = fields[3]
    self.history = history
    ownAddress =
      fields.count == 8 && fields[6].utf8.count <= WeheDeclaration.addressLimit ? fields[6] : nil
  }
}
