public import LunaCore

/// What a gateway's label says: who it is, and what an installer need not type. Nothing in it is
/// secret.
public struct GatewayPayload: Hashable, Sendable {
  /// What a label begins with.
  public static let prefix = "LUNAG1:"
  /// The longest text that is read, in characters without blanks and hyphens.
  public static let longest = 1024
  /// How many bytes of UTF-8 a text in it has at most.
  public static let longestText = 80

  /// The print of the gateway's key.
  public var print: GatewayPrint
  /// A name for it.
  public var name: String?
  /// The site that it is for.
  public var site: String?
  /// Its MAC address, 6 bytes.
  public var mac: [UInt8]?
  /// Its IP address, 4 or 16 bytes.
  public var ip: [UInt8]?
  /// Who made it.
  public var manufacturer: String?
  /// Its model.
  public var model: String?
  /// Where it is, in 10⁻⁷ degrees.
  public var position: PayloadPosition?

  /// A label with a print alone.
  public init(print: GatewayPrint) { self.print = print }

  /// A text for a label without blanks at its ends, cut so that it fits; nil for what cannot be in one.
  public static func fitting(_ text: String?) -> String? {
    guard let text else { return nil }
    var fitting = ""
    for scalar in text.unicodeScalars where !FieldText.isUnsafe(scalar) {
      guard fitting.utf8.count + String(scalar).utf8.count <= longestText else { break }
      fitting.unicodeScalars.append(scalar)
    }
    return try? FieldText.line(fitting, limit: longestText)
  }
}
