public import LunaCrypto

/// The tracker's side of onboarding, for one info: it takes one request, good or bad
/// (PROTOCOL.md, 14).
public struct TrackerOnboarding: Sendable {
  /// What a tracker is asked to do, and what it knows when a request arrives.
  public struct Situation: Sendable {
    /// The state of the tracker.
    public var state: OnboardingState
    /// Whether the button was pressed in the last 60 s, so that no code is needed.
    public var isOpen: Bool
    /// The code on the tracker's label.
    public var code: OnboardingCode
    /// The UUID to take, new for each onboarding.
    public var uuid: DeviceUUID
    /// The firmware; major version in the high byte, minor in the low one.
    public var firmware: UInt16
    /// How full the battery is, as the response tells it.
    public var battery: BatteryLevel

    /// A situation of these parts.
    public init(
      state: OnboardingState, isOpen: Bool, code: OnboardingCode, uuid: DeviceUUID,
      firmware: UInt16, battery: BatteryLevel
    ) {
      self.state = state
      self.isOpen = isOpen
      self.code = code
      self.uuid = uuid
      self.firmware = firmware
      self.battery = battery
    }
  }

  /// What comes of a request.
  public enum Answer: Sendable {
    /// The response, message 3 of 53 bytes, and what waits for the finish.
    case response([UInt8], TrackerConfirmation)
    /// A failure: its ``OnboardingStatus/message`` is message 5.
    case failure(OnboardingStatus)
  }

  /// What anyone can read, 54 bytes.
  public let info: InlineArray<54, UInt8>

  private let privateKey: SecretBytes

  /// Makes an info.
  ///
  /// - Parameters:
  ///   - privateKey: 32 fresh random bytes.
  ///   - nonce: 16 fresh random bytes.
  /// - Throws: ``LunaCrypto/CryptoError`` when the key has another length.
  public init(
    state: OnboardingState, capabilities: TrackerCapabilities, privateKey: SecretBytes,
    nonce: InlineArray<16, UInt8>
  ) throws(CryptoError) {
    let publicKey = try X25519.publicKey(of: privateKey)
    let info = OnboardingInfo(
      state: state, capabilities: capabilities, nonce: nonce, publicKey: publicKey)
    self.init(info: info.encoded, privateKey: privateKey)
  }

  package init(info: InlineArray<54, UInt8>, privateKey: SecretBytes) {
    self.info = info
    self.privateKey = privateKey
  }

  /// Answers a request: message 2. After that this value is used up.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto fails.
  public func answer(
    request bytes: Span<UInt8>, in situation: Situation
  ) throws(CryptoError) -> Answer {
    switch situation.state {
    case .keyed: return .failure(.keyed)
    case .locked: return .failure(.locked)
    case .factory: break
    }
    guard bytes.count == 50, bytes[0] == 1 else { return .failure(.malformed) }
    let code: OnboardingCode?
    switch bytes[1] {
    case 0 where situation.isOpen: code = nil
    case 1: code = situation.code
    default: return .failure(.modeRefused)
    }
    let secret: SecretBytes
    do throws(CryptoError) {
      secret = try X25519.sharedSecret(privateKey: privateKey, peer: bytes.extracting(18...))
    } catch {
      if error.kind == .invalidKey { return .failure(.weakKey) }
      throw error
    }
    let keys = try OnboardingKeys(
      info: info.span, request: bytes, sharedSecret: secret, code: code)
    let confirmation = try keys.confirmation(keys.confirmTracker, [])
    let uuid = situation.uuid.bytes
    let payload =
      uuid.indices.map { uuid[$0] }
      + [
        UInt8(situation.firmware >> 8), UInt8(truncatingIfNeeded: situation.firmware),
        situation.battery.rawValue, 0,
      ]
    let sealed = try keys.seal(payload, number: 1)
    return .response(
      [2] + confirmation.indices.map { confirmation[$0] } + sealed, TrackerConfirmation(keys: keys))
  }
}
