/// The framing of Wehe's side channel (UPLINK.md, 5.1): ten ASCII digits, the number of bytes that follow,
/// and these.
public enum WeheFrame {
  /// How many digits there are.
  static let headCount = 10
  /// How long a message may be, bytes.
  public static let limit = 256 << 10
  /// How long a map of ports may be, bytes.
  public static let mapLimit = 1 << 20

  /// A message with its head.
  public static func bytes(_ message: [UInt8]) -> [UInt8] {
    let digits = String(message.count)
    return Array(String(repeating: "0", count: headCount - digits.utf8.count).utf8)
      + Array(digits.utf8) + message
  }

  static func bytes(_ message: String) -> [UInt8] { bytes(Array(message.utf8)) }
}
