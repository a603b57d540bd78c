import Diagnosis
import FileOutput
import Glibc
package import LunaCore
package import LunaCrypto

/// Passphrases of sealed stores, in files that no other user sees. Reading them blocks.
package enum PassphraseFile {
  /// The name of systemd's credential, as in `LoadCredentialEncrypted=luna.passphrase`.
  package static let credential = "luna.passphrase"

  /// The credential of this service; nil where it has none that can be read.
  package static var ofService: String? {
    guard let directory = getenv("CREDENTIALS_DIRECTORY") else { return nil }
    let path = String(cString: directory) + "/" + credential
    return access(path, R_OK) == 0 ? path : nil
  }

  /// The contents of a file, without a line break at the end; `-` is standard input.
  ///
  /// - Throws: `DeviceStoreError` of kind `locked`.
  package static func read(_ path: String) throws(DeviceStoreError) -> SecretBytes {
    var bytes: [UInt8]
    do throws(FileInputError) {
      bytes = try FileInput.read(path)
    } catch {
      throw DeviceStoreError(
        .locked, "no passphrase: \(error.diagnosis.problem)", remedy: error.remedy)
    }
    defer { wipe(&bytes) }
    let isBreak: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let count = (bytes.lastIndex { !isBreak($0) } ?? -1) + 1
    guard count > 0 else { throw DeviceStoreError(.locked, "no passphrase: \(path) is empty") }
    return SecretBytes(copying: bytes.span.extracting(first: count))
  }
}
