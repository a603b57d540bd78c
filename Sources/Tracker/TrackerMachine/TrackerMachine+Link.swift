import Bluetooth
import LunaCrypto
import LunaProtocol

extension TrackerMachine {
  /// A characteristic is read (PROTOCOL.md, 13).
  mutating func read(
    _ characteristic: TrackerCharacteristic, from offset: Int, at uptime: Int64,
    _ actions: inout [TrackerAction], using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) {
    guard link != nil else { return actions.append(.respond(.unlikely)) }
    link?.lastActivity = uptime
    guard characteristic.isReadable else { return actions.append(.respond(.readNotPermitted)) }
    let value: [UInt8]
    switch characteristic {
    case .info: value = try info(using: &generator)
    case .challenge:
      if offset == 0 { makeChallenge(at: uptime, using: &generator) }
      value = link?.challengeValue ?? []
    case .onboard: value = link?.onboardValue ?? []
    case .txPowerLevel, .control, .nonOwnerSound: value = [UInt8(bitPattern: hardware.txPower)]
    }
    guard 0...value.count ~= offset else { return actions.append(.respond(.invalidOffset)) }
    actions.append(.respond(.value(Array(value[offset...]))))
  }

  /// A characteristic is written.
  mutating func write(
    _ bytes: [UInt8], to characteristic: TrackerCharacteristic, at uptime: Int64,
    _ actions: inout [TrackerAction], using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) {
    guard link != nil else { return actions.append(.respond(.unlikely)) }
    link?.lastActivity = uptime
    guard characteristic.isWritable else { return actions.append(.respond(.writeNotPermitted)) }
    actions.append(.respond(.written))
    switch characteristic {
    case .onboard: try onboard(bytes, at: uptime, &actions, using: &generator)
    case .control: try control(bytes, at: uptime, &actions)
    case .nonOwnerSound: soundForStranger(bytes, at: uptime, &actions)
    case .txPowerLevel, .info, .challenge: break
    }
  }

  /// The info of this connection; a new one when there is none or the last one was used up.
  private mutating func info(
    using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) -> [UInt8] {
    if let info = link?.info { return info }
    if record.state == .keyed {
      // There are no keys in it, so that none are made for whoever asks on and on.
      let info = OnboardingInfo(
        state: .keyed, capabilities: hardware.capabilities, nonce: InlineArray(repeating: 0),
        publicKey: InlineArray(repeating: 0)
      ).encoded
      return info.indices.map { info[$0] }
    }
    let onboarding = try makeOnboarding(using: &generator)
    let info = onboarding.info.indices.map { onboarding.info[$0] }
    link?.onboarding = onboarding
    link?.info = info
    return info
  }

  /// A new pair of keys and a new nonce.
  func makeOnboarding(
    using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) -> TrackerOnboarding {
    var key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    defer { wipe(&key) }
    return try TrackerOnboarding(
      state: record.state, capabilities: hardware.capabilities,
      privateKey: SecretBytes(copying: key.span), nonce: nonce(using: &generator))
  }

  /// A new challenge; it tells the start of the period on air, not the exact clock.
  private mutating func makeChallenge(
    at uptime: Int64, using generator: inout some RandomNumberGenerator
  ) {
    let challenge = ControlChallenge(
      nonce: nonce(using: &generator), onAir: keys == nil ? 0 : show?.period ?? 0)
    link?.challenge = challenge
    link?.challengeReadAt = uptime
    let bytes = challenge.encoded
    link?.challengeValue = bytes.indices.map { bytes[$0] }
  }

  func nonce(using generator: inout some RandomNumberGenerator) -> InlineArray<16, UInt8> {
    InlineArray { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
