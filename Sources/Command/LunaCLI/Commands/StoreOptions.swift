import CommandSpec
import EventLoop
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
          .fromEnvironment("LUNA_PASSPHRASE_FILE")
      ])
  }

  /// Opens the store; asks for its passphrase when it is sealed.
  func open() async throws -> SQLiteDeviceStore {
    let (file, directory) = (passphraseFile, StateDirectory(path: try state.path()))
    return try await Blocking.run { () throws(DeviceStoreError) in
      try SQLiteDeviceStore(in: directory) { () throws(DeviceStoreError) in
        try Passphrase.find(file: file)
      }
    }
  }
}
