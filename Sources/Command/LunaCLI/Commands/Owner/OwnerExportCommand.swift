import CommandSpec
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaOwner

/// `luna owner export`: a file with all devices and their keys.
struct OwnerExportCommand: Sendable {
  var path = ""
  var overwrites = false
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "export", "Write all devices with their keys to a file (JSON, mode 0600).",
    discussion: [
      "Whoever can read the file can follow the devices. luna owner import reads it."
    ],
    initial: OwnerExportCommand(),
    arguments: [.required("FILE", "The file; - is standard output", \.path, .file)],
    groups: [
      OptionGroup("Options", [.flag("force", "Overwrite an existing file", \.overwrites)]),
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna owner export backup.json", "A copy to keep in a safe place"),
      Example("luna owner export - | gpg -e -r me > backup.gpg", "The same, encrypted"),
    ],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, .table, general, isMade: false) { session in
      // What others share is not handed on.
      let count = try await session.owner.allDevices().count { $0.shared == nil }
      var bytes = Array(try await session.owner.exportDevices().utf8)
      defer { wipe(&bytes) }
      if path == "-" {
        bytes.withUnsafeBufferPointer { session.output.append($0) }
      } else {
        try OutputFile.writeSecret(bytes, to: path, replacing: overwrites)
        session.diagnostics.note(
          "luna: \(count) device\(count == 1 ? " is" : "s are") in \(path); "
            + "whoever reads it can follow them")
      }
      return .done
    }
  }
}
