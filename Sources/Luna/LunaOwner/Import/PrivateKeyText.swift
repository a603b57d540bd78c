import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// The private key of a tag that never changes it, as files write it: 28 bytes in base64, or in
/// hexadecimal digits.
enum PrivateKeyText {
  /// - Parameters:
  ///   - name: what the file calls it.
  ///   - entry: the entry that it is in.
  static func key(
    _ text: String, _ name: String, entry: String? = nil
  ) throws(DeviceFileError) -> FindMyKey {
    let isHexadecimal = text.utf8.count == 2 * FindMyKey.byteCount
    guard var bytes = isHexadecimal ? Hex.bytes(text) : Base64.decode(text) else {
      throw DeviceFileError("\(name) is neither base64 nor hexadecimal", entry: entry)
    }
    defer { wipe(&bytes) }
    guard bytes.count == FindMyKey.byteCount else {
      throw DeviceFileError(
        "\(name) has \(bytes.count) bytes, not \(FindMyKey.byteCount)", entry: entry)
    }
    guard let key = FindMyKey(SecretBytes(copying: bytes.span)) else {
      throw DeviceFileError("\(name) is no private key of P-224", entry: entry)
    }
    return key
  }
}

extension DeviceEntryReader {
  /// The private key of a tag that never changes it.
  func findMyKey(_ name: String) throws(DeviceFileError) -> FindMyKey {
    guard let text = try string(name) else { throw error("\(name) is missing") }
    return try PrivateKeyText.key(text, name, entry: label)
  }
}
