/// An end of a connection as recordings write it: `AAA.BBB.CCC.DDD.PPPPP`, filled with zeros. An address of IPv6, as
/// Wehe's tests of ports have them, stands there as it is usually written.
public struct RecordedEndpoint: Hashable, Sendable {
  /// How many characters one has at most.
  static let most = 45
  /// A dot and five digits.
  private static let portCount = 6

  /// The address as maps of ports have it: `AAA.BBB.CCC.DDD`, or one of IPv6.
  public let addressText: String
  /// The port, 1 to 65535.
  public let port: UInt16

  /// An end at an address of IPv4, its first part the highest byte; nil when the port is 0.
  public init?(address: UInt32, port: UInt16) {
    guard port > 0 else { return nil }
    addressText = (0..<4).map { RecordedEndpoint.filled(address >> (24 - 8 * UInt32($0)) & 255, 3) }
      .joined(separator: ".")
    self.port = port
  }

  /// Reads an end; nil when it is not of this form.
  public init?(_ text: some StringProtocol) {
    // Whoever copies a text first holds as much of it as somebody wants.
    guard text.utf8.count <= RecordedEndpoint.most else { return nil }
    let bytes = Array(text.utf8)
    let (address, end) = (
      bytes.dropLast(RecordedEndpoint.portCount), bytes.suffix(RecordedEndpoint.portCount)
    )
    let digits = end.dropFirst()
    guard end.first == UInt8(ascii: "."), digits.allSatisfy({ RecordedEndpoint.isDigit($0) }),
      let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0,
      RecordedEndpoint.isFilled(address) || RecordedEndpoint.isVersion6(address)
    else { return nil }
    addressText = String(decoding: address, as: UTF8.self)
    self.port = port
  }

  /// Whether that is an address of IPv4 whose parts have three digits.
  private static func isFilled(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        part.count == 3 && part.allSatisfy { isDigit($0) }
          && UInt8(String(decoding: part, as: UTF8.self)) != nil
      }
  }

  /// Whether that has the letters of an address of IPv6. It is a name in a table here, and nobody goes there.
  private static func isVersion6(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return (3...9).contains(parts.count)
      && parts.allSatisfy { $0.count <= 4 && $0.allSatisfy { isHexDigit($0) } }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// The port as maps of ports have it: five digits.
  public var portText: String { RecordedEndpoint.text(ofPort: port) }

  /// A port as recordings write it: five digits.
  static func text(ofPort port: UInt16) -> String { filled(UInt32(port), 5) }

  private static func filled(_ number: UInt32, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: count - text.utf8.count) + text
  }
}

extension RecordedEndpoint: CustomStringConvertible {
  /// The end as recordings write it.
  public var description: String { "\(addressText).\(portText)" }
}
