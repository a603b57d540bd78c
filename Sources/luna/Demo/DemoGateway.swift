import Bluetooth
import LunaBuzzer
import LunaCore
import LunaFinder
import LunaStore
import LunaTracker
import Synchronization

/// A gateway that is carried around the room of the trackers.
final class DemoGateway: Sendable {
  struct Counts: Sendable {
    var sightings = 0
    var uploaded = 0
    var failures = 0
    var waiting = 0
    var commands = 0
  }

  /// Shared with the task that reads what the finder says.
  private final class Tally: Sendable { let counts = Mutex(Counts()) }

  private let finder: LunaFinder
  private let tally = Tally()
  private let listener: Task<Void, Never>

  init(room: TrackerRoom, backend: DemoBackend, client: any EventUploader, state: String) {
    let radio = room.radio()
    var parts = FinderParts(
      makeRadio: { _ in
        FinderRadio(
          source: radio.source, runner: LunaBuzzer(client: radio.client),
          close: { await radio.client.close() })
      }, makeLocation: { _ in DemoWalk() },
      openQueue: { configuration in
        try SQLiteEventQueue(
          in: StateDirectory(path: state), fileName: configuration.dataFilename)
      }, makeUploader: { _ in client })
    parts.isSimulated = true
    parts.version = Version.text
    finder = LunaFinder(parts: parts)
    let updates = finder.updates
    listener = Task { [tally] in
      for await update in updates {
        tally.counts.withLock { counts in
          switch update {
          case .found: counts.sightings += 1
          case .uploaded(let summary):
            counts.uploaded += summary.accepted + summary.duplicates
            counts.waiting = summary.waiting
          case .uploadFailed: counts.failures += 1
          case .commandEnded: counts.commands += 1
          default: break
          }
        }
      }
    }
    var configuration = LunaConfiguration(logger: SilentLogger())
    configuration.duty = .full
    configuration.timeBetweenPostsToServerInSeconds = 2
    configuration.minimumTimeBetweenTwoEventsInSeconds = 4
    finder.startMonitoring(configuration: configuration)
  }

  var now: Counts { tally.counts.withLock { $0 } }

  /// Waits until something is so; false when that takes too long.
  func waits(_ limit: Duration, until condition: (Counts) -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while !condition(now) {
      guard ContinuousClock.now < end else { return false }
      try await Task.sleep(for: .milliseconds(100))
    }
    return true
  }

  func stop() async -> Counts {
    await finder.finish()
    await listener.value
    return now
  }
}
