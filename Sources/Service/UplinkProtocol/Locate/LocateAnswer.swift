import LunaJSON

/// What a locate service answers: `{"results":[{"machine":NAME,"urls":{"wss://:4443/v0/envelope/access":URL}}]}`.
package struct LocateAnswer: Hashable, Sendable {
  /// How long an answer may be, bytes.
  package static let size = 256 << 10
  /// Under what access is asked for.
  private static let access = "wss://:4443/v0/envelope/access"
  /// How many machines are tried.
  private static let count = 4

  /// The machines, the best one first; at least one.
  package let machines: [LocatedMachine]

  /// Reads an answer. Results that cannot be used are left out.
  ///
  /// - Throws: ``LocateError`` of kind `malformed`.
  package init(_ bytes: [UInt8]) throws(LocateError) {
    guard bytes.count <= LocateAnswer.size else {
      throw LocateError(.malformed, because: "it is too long")
    }
    var rules = JSONRules.strict(elements: 1000)
    rules.depth = RecordingLimits.depth
    let results: [JSONValue]
    do {
      results = try JSONMembers(JSONReader.read(bytes, rules: rules), name: "the answer")
        .array("results")
    } catch {
      throw LocateError(.malformed, because: "\(error)")
    }
    machines = Array(results.lazy.compactMap(LocateAnswer.machine).prefix(LocateAnswer.count))
    guard !machines.isEmpty else {
      throw LocateError(.malformed, because: "no machine is in it")
    }
  }

  private static func machine(_ result: JSONValue) -> LocatedMachine? {
    guard case .object(let object) = result, case .string(let name)? = object["machine"],
      isName(name), case .object(let urls)? = object["urls"],
      case .string(let text)? = urls[access], let url = WebSocketURL(text)
    else { return nil }
    return LocatedMachine(name: name, access: url)
  }

  /// Whether it can be looked up, and stand in a line.
  private static func isName(_ name: String) -> Bool {
    (1...200).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        $0 == UInt8(ascii: ".") || JSONMembers.isWord(String(UnicodeScalar($0)))
      }
  }
}
