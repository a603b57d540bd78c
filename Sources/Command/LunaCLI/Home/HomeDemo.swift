import Bluetooth
import Glibc
import Luna
import LunaCore
import LunaDocuments
import LunaHome
import LunaJSON
import LunaStore
import TrackerSimulation

/// A home that is made up: two trackers in software in a simulated room, and a week that never was. Its
/// files are in a temporary directory.
struct HomeDemo {
  let place: DemoPlace
  private let stage = DemoStage()

  var state: String { place.directory("home") }

  init() throws(CommandFailure) { place = try DemoPlace(keeping: nil) }

  static let file = """
    {
      "name": "Demo home",
      "trackers": [
        {"id": "wallet", "device": "Wallet", "tags": ["keys"]},
        {"id": "camera", "device": "Camera"}
      ],
      "box": {"location": "static:52.5186,13.3763"},
      "places": [
        {"id": "home", "name": "Home", "latitude": 52.5186, "longitude": 13.3763, "radius": 100},
        {"id": "office", "name": "Office", "latitude": 52.5251, "longitude": 13.3694, "radius": 150}
      ],
      "rules": [
        {"id": "camera-comes", "name": "The camera is here",
          "when": [{"beaconIn": {"who": "camera"}}], "then": [{"blink": {}}]},
        {"id": "wallet-leaves", "name": "The wallet left without you",
          "when": [{"exit": {"who": "wallet", "place": "home"}}], "then": [{"buzz": {"seconds": 5}}]}
      ]
    }
    """

  /// Makes the trackers somebody's own, and the week that was.
  ///
  /// - Returns: the room that they are in.
  func prepare(_ diagnostics: Diagnostics) async throws -> any RadioProvider {
    let clock = DemoClock(
      speed: 30, start: Timestamp(microseconds: Timestamp.now.microseconds - 180_000_000))
    let quiet = DemoPrinter(
      OutputBuffer(descriptor: open("/dev/null", O_WRONLY | O_CLOEXEC)), isJSON: true,
      isColored: false, clock: clock)
    let trackers = try DemoTrackers(state: state, clock: clock, quiet)
    var settings = LunaSettings()
    settings.state = StateDirectory(path: state)
    settings.clock = clock.wall
    settings.logger = SilentLogger()
    do {
      try await trackers.onboard(settings, stage)
    } catch {
      await stage.clear()
      throw error
    }
    await stage.clear()
    try await makeUpWeek()
    // From here on time goes as it does everywhere.
    let present = DemoClock(speed: 1, start: .now)
    let room = try DemoTrackers.room(in: state, clock: present)
    return DemoRadio(room: room, clock: present)
  }

  /// Where the two were, and how their batteries went: made of nothing but the number of the hour.
  private func makeUpWeek() async throws {
    let store = try await HomeStore.open(in: StateDirectory(path: state))
    let now = Timestamp.now.microseconds
    try await store.addMadeUpWeek(["wallet", "camera"], until: now)
  }

  func discard() async {
    await stage.clear()
    place.discard()
  }
}
