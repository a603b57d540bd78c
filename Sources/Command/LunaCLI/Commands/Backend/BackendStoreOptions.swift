import CommandSpec
import EventLoop
import LunaBackend

/// Where a backend keeps what it knows.
struct BackendStoreOptions: Sendable {
  static let fileName = "luna-backend.sqlite"

  var location: StorageLocation?
  var state = StateOption()

  static var group: OptionGroup<BackendStoreOptions> {
    let state = StateOption.group.scoped(to: \BackendStoreOptions.state)
    return OptionGroup(
      "Storage",
      [
        .value(
          "store", "STORE", "sqlite:FILE, or postgres:CONNECTION as libpq takes it", \.location,
          reader
        ).defaulting(to: "sqlite:\(fileName) in the state directory")
      ] + state.options)
  }

  private static var reader: ValueReader<StorageLocation> {
    ValueReader(expects: "sqlite:FILE or postgres:CONNECTION", hint: .text) {
      text throws(ValueProblem) in
      guard let location = StorageLocation(text) else { throw ValueProblem("is no storage") }
      return location
    }
  }

  /// Where it is; the state directory is made where it is needed.
  private func resolved() throws -> StorageLocation {
    if let location { return location }
    let directory = try state.path()
    try StateDirectoryMaker.make(directory)
    return .sqlite("\(directory)/\(Self.fileName)")
  }

  /// Opens the storage and brings it to this version.
  func prepared(
    _ settings: StorageSettings = StorageSettings(),
    _ outage: StorageOutage = StorageOutage(.none)
  ) async throws -> any Storage {
    let location = try resolved()
    let storage = try await Blocking.run { () throws(StorageError) in
      try location.open(settings, outage: outage)
    }
    try await storage.migrate()
    return storage
  }
}
