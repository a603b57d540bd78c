package import Bluetooth
import EventLoop
package import FileOutput
import Glibc
import LunaCore
package import LunaCrypto
import LunaJSON
import LunaStore
package import UplinkProtocol

/// The consent to the uplink check, in a file of the state directory.
package struct UplinkConsent: Sendable {
  private static let fileName = "uplink-consent.json"

  private let directory: String
  /// The hash of the text.
  package let hash: String

  private var path: String { "\(directory)/\(UplinkConsent.fileName)" }

  /// - Parameter directory: that of the state.
  package init(in directory: String) throws(CryptoError) {
    self.directory = directory
    hash = try ConsentText.hash()
  }

  /// The consent that holds; nil where there is none to this text.
  ///
  /// - Throws: ``UplinkError`` of kind `denied` or `unreadable`.
  package func current() async throws(UplinkError) -> Consent? {
    guard let bytes = try await UplinkFile.ownBytes(of: path), let consent = Consent(bytes),
      consent.covers(hash)
    else { return nil }
    return consent
  }

  /// Stores that somebody has agreed.
  ///
  /// - Throws: ``UplinkError`` as ``current()``, ``FileOutput/FileOutputError``, or ``LunaCore/DeviceStoreError`` where
  ///   the directory cannot be made.
  package func give(_ origin: Consent.Origin, at time: Timestamp) async throws -> Consent {
    let consent = Consent(hash: hash, time: time.rfc3339, origin: origin)
    try StateDirectory(path: directory).create(for: UplinkConsent.fileName)
    // What is said to be kept is: not so by a device, and a pipe would be waited for.
    _ = try await UplinkFile.ownBytes(of: path)
    let (path, bytes) = (path, JSONValue.object(consent.members).bytes)
    try await Blocking.run { () throws(FileOutputError) in
      try FileOutput.write(bytes, to: path, replacing: true, isSecret: true)
    }
    return consent
  }

  /// Takes it back.
  package func withdraw() async throws(FileOutputError) {
    let path = path
    try await Blocking.run { () throws(FileOutputError) in
      guard unlink(path) != 0, errno != ENOENT else { return }
      throw FileOutputError(errno, path: path)
    }
  }
}
