package import LunaCrypto

/// What both sides derive from an info, a request and the code (PROTOCOL.md, 14).
package struct OnboardingKeys: Sendable {
  /// th, which binds everything to the two messages.
  package let transcript: InlineArray<32, UInt8>
  /// PRK.
  package let prk: SecretBytes
  /// MK.
  package let masterKey: MasterKey
  /// Kct, under which the tracker confirms.
  package let confirmTracker: SecretBytes
  /// Kca, under which the application confirms.
  package let confirmApplication: SecretBytes
  /// Ken, under which both encrypt, once each.
  package let encryption: SecretBytes

  /// - Parameter code: nil with authMode 0.
  package init(
    info: Span<UInt8>, request: Span<UInt8>, sharedSecret: SecretBytes, code: OnboardingCode?
  ) throws(CryptoError) {
    var hash = try SHA256()
    let label = Array("luna/1/onboard".utf8)
    hash.update(label.span)
    hash.update(info)
    hash.update(request)
    transcript = hash.finalize()

    var hmac = try HMACSHA256(key: transcript.span)
    let noCode = InlineArray<16, UInt8>(repeating: 0)
    sharedSecret.withBytes { hmac.update($0) }
    if let code { code.secret.withBytes { hmac.update($0) } } else { hmac.update(noCode.span) }
    var key = hmac.finalize()
    defer { wipe(&key) }
    prk = SecretBytes(copying: key.span)
    hmac.setKey(key.span)
    var master = hmac.expand("luna/1/master")
    defer { wipe(&master) }
    masterKey = MasterKey(bytes: master)
    encryption = hmac.expandToSecret("luna/1/onboard-aead")
    confirmTracker = hmac.expandToSecret("luna/1/confirm-tracker")
    confirmApplication = hmac.expandToSecret("luna/1/confirm-app")
  }

  /// The confirmation that a message carries: the first 16 bytes of H(key, th | suffix).
  func confirmation(
    _ key: SecretBytes, _ suffix: [UInt8]
  ) throws(CryptoError) -> InlineArray<16, UInt8> {
    var hmac = try key.withBytes { (key) throws(CryptoError) in try HMACSHA256(key: key) }
    hmac.update(transcript.span)
    let code = hmac.code(for: suffix.span)
    return InlineArray { code[$0] }
  }

  /// Encrypts a payload; `number` is 1 for the tracker's and 2 for the application's.
  func seal(_ payload: [UInt8], number: UInt8) throws(CryptoError) -> [UInt8] {
    var cipher = try encryption.withBytes { (key) throws(CryptoError) in try AES256GCM(key: key) }
    var sealed = [UInt8](repeating: 0, count: payload.count + AES256GCM.tagCount)
    var output = sealed.mutableSpan
    cipher.seal(
      payload.span, nonce: OnboardingKeys.nonce(number), associatedData: transcript.span,
      into: &output)
    return sealed
  }

  /// Decrypts a payload; nil when it is not authentic.
  func open(_ sealed: Span<UInt8>, number: UInt8) throws(CryptoError) -> [UInt8]? {
    var cipher = try encryption.withBytes { (key) throws(CryptoError) in try AES256GCM(key: key) }
    var payload = [UInt8](repeating: 0, count: max(0, sealed.count - AES256GCM.tagCount))
    var output = payload.mutableSpan
    let isAuthentic = cipher.open(
      sealed, nonce: OnboardingKeys.nonce(number), associatedData: transcript.span, into: &output)
    return isAuthentic ? payload : nil
  }

  private static func nonce(_ number: UInt8) -> InlineArray<12, UInt8> {
    InlineArray { $0 == 11 ? number : 0 }
  }
}
