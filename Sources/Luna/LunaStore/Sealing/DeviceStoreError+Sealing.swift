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

  /// The new passphrase holds all the same: who took this for a failure would throw it away.
  static func sealedWithTraces(_ path: String, _ error: DeviceStoreError) -> DeviceStoreError {
    DeviceStoreError(
      error.kind,
      "the keys in \(path) are sealed under the new passphrase, but traces of them as they were may still be in "
        + "the file: \(error.diagnosis.problem)",
      remedy: "keep the new passphrase, and seal them again when that is over")
  }

  /// A failure of the cryptographic library while sealing or opening.
  init(_ error: CryptoError) { self.init(.failed, error.description) }
}
