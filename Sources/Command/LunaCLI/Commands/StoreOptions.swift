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
  ///
  /// - Parameter isMade: whether one is made where there is none; who only looks gets an empty one there.
  func open(isMade: Bool = true) async throws -> SQLiteDeviceStore {
    let (file, place) = (passphraseFile, StateDirectory(path: try state.path()))
    return try await Blocking.run { () throws(DeviceStoreError) in
      let directory = try isMade ? place : place.looking(for: SQLiteDeviceStore.defaultFileName)
      return try SQLiteDeviceStore(in: directory) { () throws(DeviceStoreError) in
        try Passphrase.find(file: file)
      }
    }
  }
}
