import LunaCrypto
import SafeText

/// A form as it is sent (`application/x-www-form-urlencoded`), which may have secrets in it.
package struct FormText: ~Copyable {
  private var bytes: [UInt8] = []

  init(_ fields: [(name: String, value: String)]) {
    // At once: an array that grows leaves what it held behind.
    bytes.reserveCapacity(32 << 10)
    for field in fields { add(field.name, Array(field.value.utf8).span) }
  }

  deinit {
    var bytes = bytes
    wipe(&bytes)
  }

  mutating func add(_ name: String, _ secret: SecretBytes) {
    secret.withBytes { add(name, $0) }
  }

  private mutating func add(_ name: String, _ value: Span<UInt8>) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    bytes += name.utf8
    bytes.append(UInt8(ascii: "="))
    for index in value.indices { PercentEncoding.append(value[index], to: &bytes) }
  }

  /// The fields of a query; a name that stands twice has no value, since two readers could take another
  /// one each (RFC 6749, 3.1).
  package static func fields(of query: some StringProtocol) -> [String: String] {
    var fields: [String: String] = [:]
    var twice: Set<String> = []
    for pair in query.split(separator: "&") {
      let name = unescaped(pair.prefix { $0 != "=" })
      guard let name else { continue }
      let value = unescaped(pair.drop { $0 != "=" }.dropFirst())
      if fields.updateValue(value ?? "", forKey: name) != nil || value == nil { twice.insert(name) }
    }
    for name in twice { fields[name] = nil }
    return fields
  }

  /// Whether a query has a name more than once.
  static func repeats(_ name: String, in query: some StringProtocol) -> Bool {
    query.split(separator: "&").filter { pair in
      unescaped(pair.prefix { $0 != "=" }) == name
    }.count > 1
  }

  private static func unescaped(_ text: some StringProtocol) -> String? {
    PercentEncoding.decode(text, plusIsBlank: true).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  /// What is sent.
  var secret: SecretBytes { SecretBytes(copying: bytes.span) }
}
