/// What a tracker lets anyone read (PROTOCOL.md, 13).
public struct OnboardingInfo: Sendable {
  /// The number of bytes.
  public static let byteCount = 54

  /// Whether the tracker can be onboarded.
  public let state: OnboardingState
  /// What the tracker has.
  public let capabilities: TrackerCapabilities
  /// The tracker's nonce of this attempt.
  public let nonce: InlineArray<16, UInt8>
  /// The tracker's public key of this attempt.
  public let publicKey: InlineArray<32, UInt8>

  /// The info of a tracker.
  public init(
    state: OnboardingState, capabilities: TrackerCapabilities, nonce: InlineArray<16, UInt8>,
    publicKey: InlineArray<32, UInt8>
  ) {
    self.state = state
    self.capabilities = capabilities
    self.nonce = nonce
    self.publicKey = publicKey
  }

  /// The state that 54 bytes of info tell, of version 1, whatever else is in them.
  public static func state(in bytes: Span<UInt8>) -> OnboardingState? {
    guard bytes.count == byteCount, bytes[0] == 1 else { return nil }
    return OnboardingState(rawValue: bytes[1])
  }

  /// Reads the info of a tracker that can be onboarded.
  ///
  /// - Throws: `length`, `version`, `state`, `keyType` or `reserved`.
  public init(_ bytes: Span<UInt8>) throws(OnboardingRejection) {
    guard bytes.count == OnboardingInfo.byteCount else { throw .length }
    guard bytes[0] == 1 else { throw .version }
    guard bytes[1] == OnboardingState.factory.rawValue else { throw .state }
    guard bytes[4] == 1 else { throw .keyType }
    let capabilities = TrackerCapabilities(
      rawValue: UInt16(truncatingIfNeeded: bytes.bigEndian(at: 2, count: 2)))
    guard bytes[5] == 0, capabilities.isSubset(of: .all) else { throw .reserved }
    self.init(
      state: .factory, capabilities: capabilities, nonce: InlineArray { bytes[6 + $0] },
      publicKey: InlineArray { bytes[22 + $0] })
  }

  /// The 54 bytes. Those of a keyed tracker show nothing that lasts.
  public var encoded: InlineArray<54, UInt8> {
    var bytes = InlineArray<54, UInt8>(repeating: 0)
    bytes[0] = 1
    bytes[1] = state.rawValue
    var span = bytes.mutableSpan
    span.setBigEndian(UInt64(capabilities.rawValue), at: 2, count: 2)
    guard state != .keyed else { return bytes }
    span[4] = 1
    span.set(nonce.span, at: 6)
    span.set(publicKey.span, at: 22)
    return bytes
  }
}
