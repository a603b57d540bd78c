public import LunaCrypto

/// The application's side of onboarding, from the info to the request (PROTOCOL.md, 14). What the
/// tracker answers to the request gives an ``OnboardingOffer``. One value per info.
public struct AppOnboarding: Sendable {
  /// What is written to the tracker: message 2, 50 bytes.
  public let request: InlineArray<50, UInt8>
  /// What the tracker has.
  public let capabilities: TrackerCapabilities

  package let keys: OnboardingKeys

  /// Starts from an info.
  ///
  /// - Parameters:
  ///   - info: as it was read from the tracker.
  ///   - code: of the label; nil for authMode 0, which an active attacker can take part in.
  ///   - privateKey: 32 fresh random bytes.
  ///   - nonce: 16 fresh random bytes.
  /// - Throws: what is wrong with the info, or `peerKey`.
  public init(
    info: Span<UInt8>, code: OnboardingCode?, privateKey: SecretBytes,
    nonce: InlineArray<16, UInt8>
  ) throws(OnboardingRejection) {
    let decoded = try OnboardingInfo(info)
    do throws(CryptoError) {
      let publicKey = try X25519.publicKey(of: privateKey)
      var request = InlineArray<50, UInt8>(repeating: 1)
      request[1] = code == nil ? 0 : 1
      var span = request.mutableSpan
      span.set(nonce.span, at: 2)
      span.set(publicKey.span, at: 18)
      let secret = try X25519.sharedSecret(privateKey: privateKey, peer: decoded.publicKey.span)
      keys = try OnboardingKeys(
        info: info, request: request.span, sharedSecret: secret, code: code)
      self.request = request
    } catch {
      throw error.kind == .invalidKey ? .peerKey : .crypto(error)
    }
    capabilities = decoded.capabilities
  }

  /// Reads the response: message 3.
  ///
  /// - Throws: `length`, `type`, `confirm`, `aead` or `payload`.
  public func receive(response bytes: Span<UInt8>) throws(OnboardingRejection) -> OnboardingOffer {
    guard bytes.count == 53 else { throw .length }
    guard bytes[0] == 2 else { throw .type }
    let expected: InlineArray<16, UInt8>
    let opened: [UInt8]?
    do throws(CryptoError) {
      expected = try keys.confirmation(keys.confirmTracker, [])
      opened = try keys.open(bytes.extracting(17...), number: 1)
    } catch {
      throw .crypto(error)
    }
    guard constantTimeEqual(expected.span, bytes.extracting(1..<17)) else { throw .confirm }
    guard let payload = opened else { throw .aead }
    guard let battery = BatteryLevel(rawValue: payload[18]), payload[19] == 0,
      let uuid = DeviceUUID(payload.span)
    else { throw .payload }
    return OnboardingOffer(
      uuid: uuid, firmware: UInt16(payload[16]) << 8 | UInt16(payload[17]), battery: battery,
      keys: keys)
  }
}
