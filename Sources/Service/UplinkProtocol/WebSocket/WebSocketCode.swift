/// Why a side closes (RFC 6455, 7.4.1).
package enum WebSocketCode: UInt16, Sendable {
  /// All was said.
  case normal = 1000
  /// The other side does not keep to the protocol.
  case protocolError = 1002
  /// A text is not UTF-8.
  case invalidText = 1007
  /// A message is longer than it may be.
  case tooLarge = 1009

  /// Whether a side may give this number (RFC 6455, 7.4.2); some stand for what was never sent.
  static func isAllowed(_ number: UInt16) -> Bool {
    switch number {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
