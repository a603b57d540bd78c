/// Answers what a peer sends on the channel of the Security Manager: nothing here can be paired with
/// (Core Specification, Vol 3, Part H, 2.4.6, 3.5).
public enum SecurityRefusal {
  private static let pairingRequest: UInt8 = 0x01
  private static let pairingFailed: UInt8 = 0x05
  private static let securityRequest: UInt8 = 0x0B
  /// The reason "Pairing Not Supported" (3.5.5).
  private static let pairingNotSupported: UInt8 = 0x05

  /// - Parameters:
  ///   - payload: the command: code, data.
  ///   - isCentral: whether this side is the central, which alone can be asked for security; a
  ///     peripheral alone can be asked to pair.
  /// - Returns: the payload to send back; nil for what has no answer.
  public static func answer(_ payload: Span<UInt8>, isCentral: Bool) -> [UInt8]? {
    guard payload.count > 0 else { return nil }
    return payload[0] == (isCentral ? securityRequest : pairingRequest)
      ? [pairingFailed, pairingNotSupported] : nil
  }
}
