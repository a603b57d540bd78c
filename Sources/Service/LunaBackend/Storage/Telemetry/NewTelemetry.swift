import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto

/// Telemetry of one holder of a token, judged and to be kept.
struct NewTelemetry: Sendable {
  /// An item, or what was refused: then only its name is used up.
  struct Item: Sendable {
    let id: TelemetryID
    let time: Timestamp
    let key: String
    let value: String
    let count: Int64
    let rejection: TelemetryRejection?
  }

  /// Who sent it; nobody else is called so.
  let holder: String
  let items: [Item]

  /// What items are called among those of everybody: it does not tell whose they are.
  func digests() throws(StorageError) -> [[UInt8]] {
    do throws(CryptoError) {
      return try items.map { item throws(CryptoError) in
        // Names have no zero bytes.
        let bytes = Array("luna/1/telemetry\0\(holder)\0".utf8) + item.id.bytes
        let digest = try SHA256.digest(of: bytes.span)
        return (0..<16).map { digest[$0] }
      }
    } catch {
      throw StorageError(.failed, error.description)
    }
  }
}
