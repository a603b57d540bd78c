import Diagnosis
import LunaCore
import LunaCrypto

extension DeviceStoreError {
  static func locked(_ path: String) -> DeviceStoreError {
    DeviceStoreError(
      .locked, "the keys in \(path) are sealed, and there is no passphrase",
      remedy: "give \(.passphrase), run it on a terminal, or let systemd load the credential "
        + "luna.passphrase")
  }

  static func wrongPassphrase(_ path: String) -> DeviceStoreError {
    DeviceStoreError(.locked, "this is not the passphrase of \(path)", remedy: "try another one")
  }

  static func resealed(_ path: String) -> DeviceStoreError {
    DeviceStoreError(
      .locked, "another program has changed the passphrase of \(path) meanwhile",
      remedy: "start again with the new one")
  }

  /// A failure of the cryptographic library while sealing or opening.
  init(_ error: CryptoError) { self.init(.failed, error.description) }
}
