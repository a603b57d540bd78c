import Diagnosis
import LunaCore

/// The key of a tag as OpenHaystack and macless-haystack write it (`NAME.keys`): lines of a label and
/// base64, of which `Private key:` is needed. No name is in it.
enum HaystackKeyFile {
  private static let label = "Private key:"

  static func isKeyFile(_ bytes: [UInt8]) -> Bool { !privateKeys(bytes).isEmpty }

  static func device(_ bytes: [UInt8]) throws(DeviceFileError) -> Device {
    let keys = privateKeys(bytes)
    guard let text = keys.first, keys.count == 1 else {
      throw DeviceFileError(
        "it has \(keys.count) private keys, and a tag is followed by one alone",
        remedy: "write each key into a file of its own, to follow them as that many devices")
    }
    return try FindMyDevice.make(try PrivateKeyText.key(text, "the private key"))
  }

  private static func privateKeys(_ bytes: [UInt8]) -> [String] {
    bytes.split { $0 == 0x0A || $0 == 0x0D }.filter { $0.starts(with: label.utf8) }
      .map { line in
        String(decoding: line.dropFirst(label.utf8.count), as: UTF8.self)
          .filter { !$0.isWhitespace }
      }
  }
}
