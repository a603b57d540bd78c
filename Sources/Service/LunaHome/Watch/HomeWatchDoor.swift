package import Bluetooth
import LunaCore
package import LunaJSON
package import LunaStore

/// The watch of the home in a state directory: of the one that runs, else what it has kept until it ended.
package struct HomeWatchDoor {
  private let directory: StateDirectory
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - directory: what the home keeps its state in.
  ///   - now: tells the time.
  package init(in directory: StateDirectory, now: @escaping @Sendable () -> Timestamp) {
    self.directory = directory
    self.now = now
  }

  /// What was found and what is known, beside what was listened to.
  ///
  /// - Returns: nil where no home has run.
  /// - Throws: ``HomeCallError``; `DeviceStoreError` where what was kept cannot be read.
  package func report() async throws -> JSONObject? {
    try await answer("suspects", [:]) {
      guard var watch = try await kept() else { return nil }
      return watch.report(at: now().microseconds)
    }
  }

  /// What is known of a tracker.
  ///
  /// - Returns: nil where no home has run.
  /// - Throws: the same, and ``HomeError`` of kind `notFound`.
  package func suspect(_ id: String) async throws -> JSONObject? {
    try await answer("suspect", ["suspect": .string(id)]) { try await kept()?.suspect(id) }
  }

  /// Notes what an owner says of a tracker.
  ///
  /// - Parameters:
  ///   - word: one of `LunaHome.marks`; nil takes back what was said.
  ///   - who: who says it.
  /// - Returns: the tracker, with that; nil where no home has run.
  /// - Throws: the same.
  package func mark(_ id: String, as word: String?, by who: String) async throws -> JSONObject? {
    let members: JSONObject = [
      "suspect": .string(id), "as": word.map { .string($0) } ?? .null, "by": .string(who),
    ]
    return try await answer("mark", members) {
      // Where no home has run, none is made.
      guard try await kept() != nil else { return nil }
      // No home can begin until it is noted.
      let store = try await HomeStore.open(in: directory)
      var watch = try await RestingWatch(store)
      let marked = try await watch.mark(id, as: word, by: who, at: now().microseconds)
      await store.close()
      return marked
    }
  }

  /// Asks the home that runs, or looks at what was kept.
  private func answer(
    _ call: String, _ members: JSONObject, or resting: () async throws -> JSONValue?
  ) async throws -> JSONObject? {
    let json: JSONValue?
    if let calls = try HomeCalls.running(in: directory.path) {
      json = try await calls.call(call, members)
    } else {
      json = try await resting()
    }
    guard let json else { return nil }
    guard case .object(let object) = json else { throw HomeCallError.unreadable }
    return object
  }

  private func kept() async throws -> RestingWatch? {
    guard let store = try await HomeStore.reading(in: directory) else { return nil }
    return try await RestingWatch(store)
  }
}
