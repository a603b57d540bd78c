import LunaJSON

/// Two servers, or sites of M-Lab's, whose paths part, as a server of Wehe's names them: `[one, two, networks]`.
package struct ServerPair: Hashable, Sendable {
  /// How many sites are tried.
  private static let most = 4

  /// One of them: an address, or a site.
  package let first: String
  /// The other one.
  package let second: String

  /// A pair.
  init(_ first: String, _ second: String) {
    self.first = first
    self.second = second
  }

  /// Reads `ONE,TWO`; nil for anything else than two different names that can be looked up.
  package init?(_ text: String) {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, names[0] != names[1], names.allSatisfy(ServerPair.isName) else {
      return nil
    }
    self.init(names[0], names[1])
  }

  /// What a server answers to the question for pairs.
  ///
  /// - Parameter isOfSites: whether sites are asked for.
  /// - Returns: at least one.
  /// - Throws: `pairRefused`, `pairMalformed`, `noPair` or `sitesMalformed`.
  static func pairs(
    in answer: [UInt8], isOfSites: Bool
  ) throws(LocalizationError) -> [ServerPair] {
    guard let object = LocalizeSession.object(answer) else {
      throw LocalizationError(.pairMalformed)
    }
    guard object["success"] == .bool(true) else { throw LocalizationError(.pairRefused) }
    let malformed = LocalizationError(isOfSites ? .sitesMalformed : .pairMalformed)
    guard case .object(let response)? = object["response"],
      case .array(let list)? = response[isOfSites ? "server-site-pairs" : "server-ip-pairs"]
    else { throw malformed }
    guard !list.isEmpty else { throw LocalizationError(.noPair) }
    let pairs = list.prefix(most).compactMap { ServerPair($0) }
    guard !pairs.isEmpty else { throw malformed }
    return pairs
  }

  /// Nil for anything else than two names that can be looked up, and a text.
  private init?(_ json: JSONValue) {
    guard case .array(let parts) = json, parts.count == 3, case .string(let first) = parts[0],
      case .string(let second) = parts[1], ServerPair.isName(first), ServerPair.isName(second)
    else { return nil }
    self.init(first, second)
  }

  /// Whether it can be looked up.
  static func isName(_ text: String) -> Bool {
    (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
          || JSONMembers.isWord(String(UnicodeScalar(byte)))
      }
  }
}
