import LunaCore
import LunaCrypto

extension DeviceStoreError {
  static func locked(_ path: String) -> DeviceStoreError {
    DeviceStoreError(
      .locked, "the keys in \(path) are sealed, and there is no passphrase",
      hint: "give --passphrase-file FILE, run it on a terminal, or let systemd load the credential "
        + "luna.passphrase")
  }

  static func wrongPassphrase(_ path: String) -> DeviceStoreError {
    DeviceStoreError(.locked, "this is not the passphrase of \(path)", hint: "try another one")
  }

  static func resealed(_ path: String) -> DeviceStoreError {
    DeviceStoreError(
      .locked, "another program has changed the passphrase of \(path) meanwhile",
      hint: "start again with the new one")
  }

  /// A failure of the cryptographic library while sealing or opening.
  init(_ error: CryptoError) { self.init(.failed, error.description) }
}
