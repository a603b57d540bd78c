import LunaCrypto
import LunaJSON

/// The keys of an issuer (RFC 7517, 5).
package struct WebKeySet: Sendable {
  /// The most bytes that are read.
  package static let limit = 64 << 10
  /// More keys than this are none.
  private static let keyLimit = 100

  /// Those that can check signatures; others are left out.
  package let keys: [WebKey]

  /// Reads a document.
  package init(_ document: [UInt8]) throws(WebTokenProblem) {
    guard document.count <= WebKeySet.limit else { throw .tooLong }
    guard
      let value = try? JSONReader.read(document, rules: .strict(elements: WebKeySet.keyLimit)),
      case .object(let object) = value, case .array(let list)? = object["keys"]
    else { throw .malformed("keys") }
    keys = list.compactMap { WebKey($0) }
  }

  /// Whether it has a key that a token can be signed with.
  package func covers(_ token: WebToken) -> Bool { !candidates(for: token).isEmpty }

  /// Whether one of them signed a token.
  package func signed(_ token: WebToken) -> Bool {
    candidates(for: token).contains { token.isSigned(by: $0.key) }
  }

  /// A token that does not name its key can only be by the one there is.
  private func candidates(for token: WebToken) -> [WebKey] {
    let fitting = keys.filter { $0.key.algorithm == token.algorithm }
    guard let id = token.keyID else { return fitting.count == 1 ? fitting : [] }
    // Some name two keys of different kinds alike; more of one kind are no names.
    let named = fitting.filter { $0.id == id }
    // A key without a name may have any.
    let able = named.isEmpty ? fitting.filter { $0.id == nil } : named
    return able.count == 1 ? able : []
  }
}
