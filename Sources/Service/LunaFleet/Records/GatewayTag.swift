/// Words by which gateways are grouped.
public enum GatewayTag {
  /// How many a gateway has at most.
  public static let limit = 32

  /// Whether a text is one: 1 to 32 of `[a-z0-9_-]`.
  public static func isTag(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      }
  }
}
