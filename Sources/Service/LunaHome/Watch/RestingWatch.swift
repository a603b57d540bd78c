package import LunaCore
package import LunaJSON
package import LunaStore

/// The watch of a home that does not run: what was found and learned until it ended.
package struct RestingWatch {
  private var watch = HomeWatch()
  private let store: HomeStore

  /// Reads what a home has kept.
  ///
  /// - Parameter store: its database; to mark, opened as by a home, so that none begins meanwhile.
  package init(_ store: HomeStore) async throws(DeviceStoreError) {
    self.store = store
    let parts = try await store.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.parts()
    }
    watch.restore(parts)
    watch.resume()
  }

  /// What was found and what is known, beside what was listened to, as `LunaHome.suspects()` says it.
  ///
  /// - Parameter now: µs since 1970.
  package mutating func report(at now: Int64) -> JSONValue { watch.report(at: now) }

  /// What is known of a tracker, with what speaks for its following somebody.
  ///
  /// - Throws: ``HomeError`` of kind `notFound`.
  package func suspect(_ id: String) throws(HomeError) -> JSONValue { try watch.known(id).json }

  /// Notes what an owner says of a tracker, for the home that runs next.
  ///
  /// - Parameters:
  ///   - word: one of `LunaHome.marks`; nil takes back what was said.
  ///   - now: µs since 1970.
  /// - Throws: ``HomeError`` as `LunaHome.mark` throws it; `DeviceStoreError` where it cannot be kept.
  package mutating func mark(
    _ id: String, as word: String?, by who: String, at now: Int64
  ) async throws -> JSONValue {
    let marked = try watch.say(word, of: id, by: who, at: now)
    let parts = watch.takeChanges()
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.save(parts)
    }
    return marked.json
  }
}
