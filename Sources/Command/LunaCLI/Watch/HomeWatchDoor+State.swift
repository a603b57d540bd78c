import Bluetooth
import LunaHome
import LunaJSON
import LunaStore

extension HomeWatchDoor {
  /// Asks the watch of the home that a command is about.
  ///
  /// - Parameter body: asks it; nil where no home has run.
  static func ask(
    _ option: StateOption, _ body: (HomeWatchDoor) async throws -> JSONObject?
  ) async throws -> JSONObject {
    let state = try option.path()
    let door = HomeWatchDoor(in: StateDirectory(path: state), now: { .now })
    do {
      guard let answer = try await body(door) else { throw CommandFailure.noHome(in: state) }
      return answer
    } catch let error as HomeError {
      throw CommandFailure(ExitCode(error.kind), error)
    }
  }
}
