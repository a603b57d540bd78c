/// An end of a connection as recordings write it: `AAA.BBB.CCC.DDD.PPPPP`, filled with zeros.
public struct RecordedEndpoint: Hashable, Sendable {
  /// How many characters one has.
  static let count = 21

  /// The address, IPv4, its first part the highest byte.
  public let address: UInt32
  /// The port, 1 to 65535.
  public let port: UInt16

  /// An end; nil when the port is 0.
  public init?(address: UInt32, port: UInt16) {
    guard port > 0 else { return nil }
    self.address = address
    self.port = port
  }

  /// Reads an end; nil when it is not of this form.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == RecordedEndpoint.count else { return nil }
    var (address, number, digits, parts): (UInt32, UInt32, Int, Int) = (0, 0, 0, 0)
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        guard digits == 3, parts < 4, number <= 255 else { return nil }
        address = address << 8 | number
        (number, digits, parts) = (0, 0, parts + 1)
      } else {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < 5 else { return nil }
        number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
        digits += 1
      }
    }
    guard parts == 4, digits == 5, let port = UInt16(exactly: number) else { return nil }
    self.init(address: address, port: port)
  }

  /// The address as maps of ports have it: `AAA.BBB.CCC.DDD`.
  public var addressText: String {
    (0..<4).map { RecordedEndpoint.filled(address >> (24 - 8 * UInt32($0)) & 255, 3) }
      .joined(separator: ".")
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
