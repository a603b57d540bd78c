import LunaCore
import LunaCrypto
import LunaProtocol

/// Identifiers that take a point multiplication each, derived once and kept.
struct SlowDerivations: ~Copyable {
  private struct Sequence: Hashable {
    let device: DeviceUUID
    let number: UInt8
  }

  private var findMy: FindMyKeyDeriver?
  private var findHub160: FindHubEIDDeriver?
  private var findHub256: FindHubEIDDeriver?
  private var chunks: [DerivationKey: [UInt8]] = [:]
  private var secrets: [Sequence: SecretChain] = [:]
  private var fresh: [DerivationKey: [UInt8]] = [:]

  /// Takes what was derived in an earlier run.
  mutating func add(_ bytes: [UInt8], for key: DerivationKey, of device: Device) {
    guard bytes.count == DerivationChunk.byteCount(device.keys) * key.periods.count else {
      return
    }
    chunks[key] = bytes
  }

  /// What was derived since this was asked last, to be stored.
  mutating func takeFresh() -> [DerivationKey: [UInt8]] {
    defer { fresh = [:] }
    return fresh
  }

  /// Whether the chunk of a period is there.
  func has(_ device: Device, sequence: UInt8, period: UInt32) -> Bool {
    chunks[DerivationChunk.key(device, sequence: sequence, period: period)] != nil
  }

  /// The identifier of a period whose chunk is there; nil for others.
  func identifier(_ device: Device, sequence: UInt8, period: UInt32) -> ArraySlice<UInt8>? {
    let key = DerivationChunk.key(device, sequence: sequence, period: period)
    guard let chunk = chunks[key] else { return nil }
    let count = DerivationChunk.byteCount(device.keys)
    let start = Int(period - key.periods.first) * count
    return chunk[start..<start + count]
  }

  /// Derives the chunk of a period.
  ///
  /// - Parameter budget: point multiplications, or what costs as much; is lowered. A chunk is begun
  ///   while there is some left, and derived whole.
  /// - Returns: whether the chunk is there; else the budget was used up.
  /// - Throws: ``CryptoError`` when the keys cannot be used.
  mutating func prepare(
    _ device: Device, sequence: UInt8, period: UInt32, budget: inout Int
  ) throws(CryptoError) -> Bool {
    let key = DerivationChunk.key(device, sequence: sequence, period: period)
    guard chunks[key] == nil else { return true }
    guard budget > 0, let chunk = try derive(key, device, &budget) else { return false }
    budget -= key.periods.count
    chunks[key] = chunk
    fresh[key] = chunk
    return true
  }

  private mutating func derive(
    _ key: DerivationKey, _ device: Device, _ budget: inout Int
  ) throws(CryptoError) -> [UInt8]? {
    var bytes: [UInt8] = []
    switch device.keys {
    case .googleFindHub(let keys):
      for period in key.periods.first...key.periods.last {
        bytes += try findHubEID(keys, period)
      }
    case .appleFindMy(let keys):
      if findMy == nil { findMy = try FindMyKeyDeriver() }
      guard var secret = secret(at: key, keys, &budget) else { return nil }
      for _ in key.periods.first...key.periods.last {
        bytes += try findMy?.publicKey(masterKey: keys.masterKey, secret: secret) ?? []
        secret = findMy?.advance(secret, by: 1) ?? secret
      }
    case .appleFindMyKey(let key):
      if findMy == nil { findMy = try FindMyKeyDeriver() }
      bytes += try findMy?.publicKey(of: key.privateKey) ?? []
    case .luna, .lunaShared, .eddystoneEID, .resolvableAddress: break
    }
    return bytes
  }

  private mutating func findHubEID(
    _ keys: FindHubKeys, _ period: UInt32
  ) throws(CryptoError) -> [UInt8] {
    switch keys.curve {
    case .secp160r1:
      if findHub160 == nil { findHub160 = try FindHubEIDDeriver(.secp160r1) }
      return try findHub160?.eid(keys.identityKey, rotation: period) ?? []
    case .secp256r1:
      if findHub256 == nil { findHub256 = try FindHubEIDDeriver(.secp256r1) }
      return try findHub256?.eid(keys.identityKey, rotation: period) ?? []
    }
  }

  private mutating func secret(
    at key: DerivationKey, _ keys: FindMyKeys, _ budget: inout Int
  ) -> SecretBytes? {
    let sequence = Sequence(device: key.device, number: key.sequence)
    let first = key.sequence == 0 ? keys.primarySecret : keys.secondarySecret
    // Taken out, so that there is one owner while it is changed.
    var chain = secrets.removeValue(forKey: sequence) ?? SecretChain(first)
    defer { secrets[sequence] = chain }
    return chain.secret(at: key.periods.first, &budget) { findMy?.advance($0, by: $1) ?? $0 }
  }
}
