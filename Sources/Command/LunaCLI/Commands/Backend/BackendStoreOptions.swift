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

  /// Opens a storage that is there, and leaves it as it is.
  func existing() async throws -> any Storage {
    let place = try self.place()
    return try await Blocking.run { () throws(StorageError) in
      try place.open(isMade: false, isServing: false)
    }
  }

  /// Opens the storage, which is made where it is missing, and brings it to this version. Another process may
  /// be serving it.
  func prepared() async throws -> any Storage {
    try await prepared(StorageSettings(), StorageOutage(.none), isServing: false)
  }

  /// Opens the storage for the process that serves it: it is made where it is missing, and brought to this version.
  func served(_ settings: StorageSettings, _ outage: StorageOutage) async throws -> any Storage {
    try await prepared(settings, outage, isServing: true)
  }

  private func prepared(
    _ settings: StorageSettings, _ outage: StorageOutage, isServing: Bool
  ) async throws -> any Storage {
    if location == nil { try StateDirectoryMaker.make(state.path()) }
    let place = try self.place()
    let storage = try await Blocking.run { () throws(StorageError) in
      try place.open(settings, isServing: isServing, outage: outage)
    }
    try await storage.migrate()
    return storage
  }
}
