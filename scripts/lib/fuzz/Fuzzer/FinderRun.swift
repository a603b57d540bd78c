import Bluetooth
import Dispatch
import LunaCore
import LunaFinder
import LunaLocation
import LunaProtocol
import Synchronization

/// A whole finder, with a recording of anything at any time.
enum FinderRun {
  /// Gives its reports, and ends.
  private final class Recording: AdvertisementSource {
    private let batches: Mutex<[[AdvertisingReport]]>
    let states = AsyncStream<SourceState> { $0.finish() }

    init(_ reports: [AdvertisingReport]) { batches = Mutex([reports]) }

    var description: SourceDescription {
      SourceDescription(name: "fuzz", simulated: true, explanation: "made up")
    }
    var counters: SourceCounters { SourceCounters() }
    func start() async {}
    func nextBatch() async -> [AdvertisingReport]? { batches.withLock { $0.popLast() } }
    func stop() async {}
  }

  private struct Silence: Logger {
    let level = LogLevel.ERROR
    func write(_ level: LogLevel, _ message: String) {}
  }

  @Sendable static func run(_ bytes: [UInt8]) {
    var script = ScriptReader(bytes)
    var reports: [AdvertisingReport] = []
    while !script.isAtEnd, reports.count < 16 {
      let step = script.byte()
      let time = script.number()
      let period = UInt32(truncatingIfNeeded: time)
      reports.append(step & 1 == 0 ? script.report(at: time) : OwnTracker.report(period, at: time))
    }
    let recording = reports
    var configuration = LunaConfiguration(logger: Silence())
    configuration.minimumTimeBetweenTwoEventsInSeconds = 0
    configuration.duty = .full
    var parts = FinderParts(
      makeRadio: { _ in FinderRadio(source: Recording(recording), runner: nil) },
      makeLocation: { _ in StaticLocation(LocationFix(latitude: 1, longitude: 2)) },
      openQueue: { _ in InMemoryEventQueue(limit: 64) }, makeUploader: { _ in nil })
    parts.isRecording = true
    let finder = LunaFinder(parts: parts)
    let settings = configuration
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      finder.startMonitoring(configuration: settings)
      _ = await finder.wait()
      done.signal()
    }
    done.wait()
  }
}
