import CommandSpec
import EventLoop
import Glibc
import LunaBackend
import LunaDocuments

/// `luna backend backup`: a copy of everything, while a backend runs.
struct BackendBackupCommand: Sendable {
  var path = ""
  var overwrites = false
  var store = BackendStoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "backup", "Copy everything to a file, even while a backend runs.",
    discussion: [
      "The copy is a complete storage, which luna backend --store sqlite:FILE can serve. "
        + "It holds what was there when copying began, and is read whole before it takes its place: "
        + "until then, a FILE that is there stays as it is. For PostgreSQL, use "
        + "pg_basebackup, or pg_dump; while that reads, no old day is dropped."
    ],
    initial: BackendBackupCommand(),
    arguments: [.required("FILE", "Where to write the copy", \.path, .file)],
    groups: [
      OptionGroup(
        "Options", [.flag("force", "Overwrite FILE if it exists", \.overwrites)]),
      BackendStoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna backend backup /backup/luna-2026-11-21.sqlite", "A copy")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await CommandRun(OutputBuffer(descriptor: STDOUT_FILENO), general.diagnostics).run {
      do {
        switch try store.place() {
        case .sqlite(let source):
          try await Blocking.run { () throws(StorageError) in
            try SQLiteStorage.backup(source, to: path, replacing: overwrites)
          }
          general.diagnostics.note("luna: \(path) is a copy of sqlite:\(source)")
        case .postgreSQL:
          // Says what does that there.
          try await store.existing().backup(to: path, replacing: overwrites)
        }
        return .done
      } catch {
        throw CommandFailure(backend: error) ?? error
      }
    }
  }
}
