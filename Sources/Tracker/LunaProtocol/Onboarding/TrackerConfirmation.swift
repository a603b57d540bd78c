public import LunaCrypto

/// A tracker that answered a request and waits for the finish (PROTOCOL.md, 14).
public struct TrackerConfirmation: Sendable {
  /// What comes of a finish.
  public enum Conclusion: Sendable {
    /// The tracker has an owner: master key, clock (Unix s) and a lastCounter of 0 go to flash
    /// before the message, 18 bytes, is sent.
    case done(message: [UInt8], masterKey: MasterKey, clock: UInt32)
    /// A failure: its ``OnboardingStatus/message`` is message 5.
    case failure(OnboardingStatus)
  }

  let keys: OnboardingKeys

  /// Reads the finish: message 4.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto fails.
  public func conclude(finish bytes: Span<UInt8>) throws(CryptoError) -> Conclusion {
    guard bytes.count == 41, bytes[0] == 3 else { return .failure(.malformed) }
    let expected = try keys.confirmation(keys.confirmApplication, [3])
    guard constantTimeEqual(expected.span, bytes.extracting(1..<17)),
      let payload = try keys.open(bytes.extracting(17...), number: 2)
    else { return .failure(.unauthenticated) }
    guard payload[4...] == [Period.exponent, 0, 0, 0] else { return .failure(.unsupported) }
    let confirmation = try keys.confirmation(keys.confirmTracker, [4, 0])
    return .done(
      message: [4, 0] + confirmation.indices.map { confirmation[$0] }, masterKey: keys.masterKey,
      clock: UInt32(truncatingIfNeeded: payload.span.bigEndian(at: 0, count: 4)))
  }
}
