package import LunaJSON
import WebAccess

/// Something that people have made, beside what the file has.
package struct HomeObject: Sendable {
  /// The lists that people can add to.
  package enum Kind: String, CaseIterable, Sendable {
    case places, rules, contacts, trackers
  }

  /// What it is called.
  package let id: String
  /// What it is.
  package let value: JSONValue

  /// Which version it is, for `ETag`.
  static func tag(of value: JSONValue) throws -> String {
    "\"\(SecretDigest.name(try SecretDigest.of(value.description)))\""
  }
}
