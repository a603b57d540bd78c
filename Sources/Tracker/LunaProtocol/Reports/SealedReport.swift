/// A location that only the holders of the tracker's keys, and who heard the same frame, can read
/// (PROTOCOL.md, 9.2).
public struct SealedReport: Sendable {
  /// The number of bytes of ``encodedLocation``.
  public static let byteCount = 61

  /// Under which it is stored.
  public let heid: HEID
  /// The status field of the frame, as heard.
  public let esf: ESF
  /// Format, nonce, ciphertext and tag.
  public let encodedLocation: InlineArray<61, UInt8>

  /// ``encodedLocation`` in base64, 84 characters.
  public var text: String { Base64.encode(encodedLocation.span) }
}
