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

  /// Where it is.
  func place() throws -> StorageLocation {
    if let location { return location }
    return .sqlite("\(try state.path())/\(Self.fileName)")
  }

  /// Opens a storage that is there, and leaves it as it is. Of a database server it makes the tables.
  func existing() async throws -> any Storage {
    let place = try self.place()
    let storage = try await Blocking.run { () throws(StorageError) in
      try place.open(isMade: false)
    }
    if case .postgreSQL = place { try await storage.migrate() }
    return storage
  }

  /// Opens the storage, which is made where it is missing, and brings it to this version.
  func prepared(
    _ settings: StorageSettings = StorageSettings(),
    _ outage: StorageOutage = StorageOutage(.none)
  ) async throws -> any Storage {
    if location == nil { try StateDirectoryMaker.make(state.path()) }
    let place = try self.place()
    let storage = try await Blocking.run { () throws(StorageError) in
      try place.open(settings, outage: outage)
    }
    try await storage.migrate()
    return storage
  }
}
