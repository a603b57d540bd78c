import Diagnosis
import SafeText

/// Where a broker is: `mqtt[s]://[USER@]HOST[:PORT][/PREFIX]`.
public struct MQTTAddress: Hashable, Sendable {
  /// Whether the connection is by TLS (`mqtts`).
  public var usesTLS: Bool
  /// The user; nil for nobody.
  public var user: String?
  /// A name or an address, IPv6 without brackets.
  public var host: String
  /// The port; by default 1883, and 8883 with TLS.
  public var port: Int
  /// What topics begin with; nil for what the program has.
  public var prefix: String?

  /// Reads an address.
  ///
  /// - Throws: ``MQTTError`` of kind `address`. A password in it is one: it would stand in the list of
  ///   processes.
  public init(_ text: String) throws(MQTTError) {
    let schemes = [("mqtt://", false), ("mqtts://", true)]
    guard let (scheme, usesTLS) = schemes.first(where: { text.hasPrefix($0.0) }) else {
      throw MQTTAddress.error("begins with neither mqtt:// nor mqtts://")
    }
    self.usesTLS = usesTLS
    var rest = text.dropFirst(scheme.count)
    if let slash = rest.firstIndex(of: "/") {
      let prefix = String(rest[rest.index(after: slash)...])
      guard MQTTTopic.isValid(prefix) else {
        throw MQTTAddress.error("has no topic after the host: \"\(prefix)\"")
      }
      self.prefix = prefix
      rest = rest[..<slash]
    }
    if let at = rest.lastIndex(of: "@") {
      let user = rest[..<at]
      guard !user.contains(":") else {
        throw MQTTError(
          .address, "a password in the address would be seen by everybody on this machine",
          remedy: "put it into a file")
      }
      guard let name = MQTTAddress.unescaped(user), !name.isEmpty else {
        throw MQTTAddress.error("has no user before the @")
      }
      self.user = name
      rest = rest[rest.index(after: at)...]
    }
    let (host, digits) = try MQTTAddress.split(rest)
    self.host = host
    port = usesTLS ? 8883 : 1883
    guard let digits else { return }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
      (1...65535).contains(number)
    else { throw MQTTAddress.error("has no port from 1 to 65535") }
    port = number
  }

  private static func split(
    _ text: Substring
  ) throws(MQTTError) -> (host: String, port: Substring?) {
    var host = text
    var port: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw error("has no ] after the address") }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { throw error("goes on after the ]") }
      if !rest.isEmpty { port = rest.dropFirst() }
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    let isPlain = host.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
    guard !host.isEmpty, isPlain else { throw error("names no host") }
    return (String(host), port)
  }

  /// A text in which `%40` stands for `@`; nil when it is none.
  private static func unescaped(_ text: Substring) -> String? {
    guard let bytes = PercentEncoding.decode(text), bytes.allSatisfy({ $0 >= 0x20 }) else {
      return nil
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func error(_ what: String) -> MQTTError {
    MQTTError(
      .address, "the address of a broker \(what)",
      remedy: "write mqtt://HOST or mqtts://USER@HOST:PORT/PREFIX")
  }
}
