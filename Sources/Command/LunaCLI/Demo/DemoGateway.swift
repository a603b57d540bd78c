import Bluetooth
import Luna
import LunaCore
import LunaFinder
import LunaProtocol
import Synchronization

/// A gateway that is carried around the room of the trackers.
final class DemoGateway: Sendable {
  /// What it has done so far.
  struct Tally: Sendable {
    /// Sightings that were sealed and queued, by what they are filed under.
    var sightings: [HEID: Int] = [:]
    var found: Int { sightings.values.reduce(0, +) }
    var uploaded = 0
    var failures = 0
    var lost = 0
  }

  private let finder: LunaFinder
  private let tally: SharedTally
  private let listener: Task<Void, Never>

  /// Shared with the task that reads what the finder says.
  private final class SharedTally: Sendable {
    let value = Mutex(Tally())
    /// Rings when it has changed, or nothing more comes.
    let bell = Bell()
  }

  /// A gateway that works from now on.
  ///
  /// - Parameter tell: gets what it does.
  init(
    _ settings: LunaSettings, backend: String, tell: @escaping @Sendable (FinderUpdate) -> Void
  ) {
    let finder = Luna(settings).finder()
    let tally = SharedTally()
    let updates = finder.updates
    listener = Task(executorPreference: CommandThread.tasks) {
      for await update in updates {
        tally.value.withLock { tally in
          switch update {
          case .found(let heid, _, _): tally.sightings[heid, default: 0] += 1
          case .uploaded(let summary): tally.uploaded += summary.accepted + summary.duplicates
          case .uploadFailed: tally.failures += 1
          case .dropped(_, let count): tally.lost += count
          default: break
          }
        }
        tally.bell.ring()
        tell(update)
      }
      tally.bell.ring()
    }
    self.finder = finder
    self.tally = tally
    // Everything else is as it is for any gateway.
    var configuration = LunaConfiguration(logger: SilentLogger())
    configuration.backend = backend
    configuration.duty = .full
    finder.startMonitoring(configuration: configuration)
  }

  /// What it has done so far.
  var now: Tally { tally.value.withLock { $0 } }

  /// Waits until something is so.
  ///
  /// - Throws: ``CommandFailure`` when the gateway has ended, or that takes longer than a minute.
  func wait(for what: String, until condition: (Tally) -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !condition(now) {
      await tally.bell.wait(for: end - .now)
      try Task.checkCancellation()
      guard finder.isMonitoring else {
        throw await finder.wait().map { CommandFailure(finder: $0) }
          ?? CommandFailure(.lost, "the gateway has stopped")
      }
      guard ContinuousClock.now < end else {
        throw CommandFailure(
          .lost, "\(what) took longer than a minute",
          hint: "the machine may be too busy; try a lower --speed")
      }
    }
  }

  /// Ends: what waits is brought to the backend.
  @discardableResult
  func stop() async -> Tally {
    await finder.finish()
    await listener.value
    return now
  }
}
