import LunaCore
import LunaCrypto
import LunaProtocol

/// Identifiers that take a point multiplication each, derived once and kept.
struct SlowDerivations: ~Copyable {
  private var findMy: FindMyKeyDeriver?
  private var findHub160: FindHubEIDDeriver?
  private var findHub256: FindHubEIDDeriver?
  private var chunks: [DerivationKey: [UInt8]] = [:]
  /// Secrets at the beginning of chunks, for accessories whose secrets follow from each other.
  private var secrets: [DerivationKey: SecretBytes] = [:]
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

  /// The identifier of a period.
  ///
  /// - Throws: ``CryptoError`` when the keys cannot be used.
  mutating func identifier(
    _ device: Device, sequence: UInt8, period: UInt32
  ) throws(CryptoError) -> [UInt8] {
    let key = DerivationChunk.key(device, sequence: sequence, period: period)
    let chunk: [UInt8]
    if let known = chunks[key] {
      chunk = known
    } else {
      chunk = try derive(key, device)
      chunks[key] = chunk
      fresh[key] = chunk
    }
    let count = DerivationChunk.byteCount(device.keys)
    let start = Int(period - key.periods.first) * count
    return Array(chunk[start..<start + count])
  }

  private mutating func derive(_ key: DerivationKey, _ device: Device) throws(CryptoError)
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    switch device.keys {
    case .googleFindHub(let keys):
      for period in key.periods.first...key.periods.last {
        bytes += try findHubEID(keys, period)
      }
    case .appleFindMy(let keys):
      if findMy == nil { findMy = try FindMyKeyDeriver() }
      var secret = try secret(at: key, keys)
      for _ in key.periods.first...key.periods.last {
        bytes += try findMy?.publicKey(masterKey: keys.masterKey, secret: secret) ?? []
        secret = findMy?.advance(secret, by: 1) ?? secret
      }
    case .luna, .eddystoneEID, .resolvableAddress: break
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

  /// The secret at the beginning of a chunk, from the nearest one before it.
  private mutating func secret(
    at key: DerivationKey, _ keys: FindMyKeys
  ) throws(CryptoError) -> SecretBytes {
    let step = DerivationChunk.count
    let first = key.sequence == 0 ? keys.primarySecret : keys.secondarySecret
    var known = key.periods.first
    var secret = first
    func chunk(_ start: UInt32) -> DerivationKey {
      DerivationKey(
        device: key.device, sequence: key.sequence,
        periods: PeriodRange(first: start, last: start + (step - 1)))
    }
    while known > 0 {
      if let kept = secrets[chunk(known)] {
        secret = kept
        break
      }
      known -= step
    }
    while known < key.periods.first {
      secret = findMy?.advance(secret, by: step) ?? secret
      known += step
      secrets[chunk(known)] = secret
    }
    return secret
  }
}
