import Bluetooth
import LunaCore
import LunaHome
import LunaJSON
import LunaStore

/// The watch of the home in a state directory: of the one that runs, else what it has kept until it ended.
struct HomeWatchDoor {
  private let state: String
  private let directory: StateDirectory

  init(_ option: StateOption) throws {
    state = try option.path()
    directory = StateDirectory(path: state)
  }

  /// What was found and what is known, beside what was listened to.
  func report() async throws -> JSONObject {
    try await answer("suspects", [:]) {
      var watch = try await kept()
      return watch.report(at: Timestamp.now.microseconds)
    }
  }

  /// What is known of a tracker.
  func suspect(_ id: String) async throws -> JSONObject {
    try await answer("suspect", ["suspect": .string(id)]) { try await kept().suspect(id) }
  }

  /// Notes what an owner says of a tracker; nil takes it back.
  func mark(_ id: String, as word: String?) async throws -> JSONObject {
    let who = LoginName.current
    let members: JSONObject = [
      "suspect": .string(id), "as": word.map { .string($0) } ?? .null, "by": .string(who),
    ]
    return try await answer("mark", members) {
      // Where no home has run, none is made.
      _ = try await kept()
      // No home can begin until it is noted.
      let store = try await HomeStore.open(in: directory)
      var watch = try await RestingWatch(store)
      let marked = try await watch.mark(id, as: word, by: who, at: Timestamp.now.microseconds)
      await store.close()
      return marked
    }
  }

  /// Asks the home that runs, or looks at what was kept.
  private func answer(
    _ call: String, _ members: JSONObject, or resting: () async throws -> JSONValue
  ) async throws -> JSONObject {
    let json: JSONValue
    if let calls = try HomeCalls.running(in: state) {
      json = try await calls.call(call, members)
    } else {
      do {
        json = try await resting()
      } catch let error as HomeError {
        throw CommandFailure(ExitCode(error.kind), error)
      }
    }
    guard case .object(let object) = json else { throw HomeCallError.unreadable }
    return object
  }

  private func kept() async throws -> RestingWatch {
    guard let store = try await HomeStore.reading(in: directory) else {
      throw CommandFailure.noHome(in: state)
    }
    return try await RestingWatch(store)
  }
}
