import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// The column `keys`: encoded keys, sealed, or followed by a checksum. Both bind them to what else
/// recognising the device depends on, so that damage is found and nobody can swap sealed keys.
enum StoredKeys {
  private static let checksumCount = 8

  static func context(
    _ uuid: DeviceUUID, _ kind: DeviceKind, _ onboarded: Timestamp, _ isUnauthenticated: Bool
  ) -> [UInt8] {
    let text = "luna/store/1/device/\(uuid)/\(kind.rawValue)/\(onboarded.microseconds)"
    return Array("\(text)/\(isUnauthenticated)".utf8)
  }

  static func protect(
    _ keys: [UInt8], of device: Device, under key: SecretBytes?
  ) throws(CryptoError) -> [UInt8] {
    let context = context(
      device.uuid, device.keys.kind, device.onboardingTimestamp, device.isUnauthenticated)
    return try protect(keys, context: context, under: key)
  }

  static func protect(
    _ keys: [UInt8], context: [UInt8], under key: SecretBytes?
  ) throws(CryptoError) -> [UInt8] {
    guard let key else { return try keys + checksum(keys, context) }
    return try SealedBox.seal(keys, under: key, associatedData: context)
  }

  /// - Returns: nil when the bytes are damaged, or belong to another device.
  static func open(
    _ stored: [UInt8], context: [UInt8], under key: SecretBytes?
  ) throws(CryptoError) -> [UInt8]? {
    if let key { return try SealedBox.open(stored, under: key, associatedData: context) }
    let keys = Array(stored.dropLast(checksumCount))
    return try checksum(keys, context) == stored.suffix(checksumCount) ? keys : nil
  }

  private static func checksum(
    _ keys: [UInt8], _ context: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    var hash = try SHA256()
    hash.update(context.span)
    hash.update(keys.span)
    let digest = hash.finalize()
    return (0..<checksumCount).map { digest[$0] }
  }
}
