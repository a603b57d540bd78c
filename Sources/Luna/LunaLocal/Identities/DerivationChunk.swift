import LunaCore
import LunaProtocol

/// Identifiers that are slow to derive are derived, kept and stored a day (of Find My) at a time; the
/// only one of a device without a clock is a chunk for itself.
enum DerivationChunk {
  /// The number of identifiers in a chunk.
  static let count: UInt32 = 96
  /// The last period whose identifier is derived: over 119 years after the first one. What is stored or
  /// imported may say more.
  static let lastPeriod: UInt32 = 1 << 22 - 1
  /// The period of an identifier that never changes, as far as the index counts.
  static let onlyPeriod = PeriodRange(first: 0, last: 0)

  /// The chunk that a period is in.
  static func key(_ device: Device, sequence: UInt8, period: UInt32) -> DerivationKey {
    guard device.hasClock else {
      return DerivationKey(device: device.uuid, sequence: sequence, periods: onlyPeriod)
    }
    let first = period / count * count
    return DerivationKey(
      device: device.uuid, sequence: sequence,
      periods: PeriodRange(
        first: first, last: first + min(count - 1, .max - first)))
  }

  /// The bytes of an identifier; 0 where there are no slow derivations.
  static func byteCount(_ keys: DeviceKeys) -> Int {
    switch keys {
    case .appleFindMy, .appleFindMyKey: FindMyKeyDeriver.byteCount
    case .googleFindHub(let keys): keys.curve.byteCount
    case .luna, .lunaShared, .eddystoneEID, .resolvableAddress: 0
    }
  }
}
