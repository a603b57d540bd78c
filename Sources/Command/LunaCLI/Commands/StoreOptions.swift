import CommandSpec
import LunaCore
import LunaCrypto
import LunaStore

/// Options of every command that uses the devices of the owner.
struct StoreOptions: Sendable {
  var state = StateOption()
  var passphraseFile: String?

  static var group: OptionGroup<StoreOptions> {
    let state = StateOption.group.scoped(to: \StoreOptions.state)
    return OptionGroup(
      state.title,
      state.options + [
        .value(
          "passphrase-file", "FILE",
          "Read the passphrase for sealed keys from FILE; - is standard input", \.passphraseFile,
          .file
        ).defaulting(to: "systemd's credential luna.passphrase, or luna asks")
      ])
  }

  /// Opens the store; asks for its passphrase when it is sealed.
  func open() throws -> SQLiteDeviceStore {
    let file = passphraseFile
    return try SQLiteDeviceStore(in: StateDirectory(path: try state.path())) {
      () throws(DeviceStoreError) in try Passphrase.find(file: file)
    }
  }
}
