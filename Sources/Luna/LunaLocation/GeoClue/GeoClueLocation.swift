import Bluetooth
import Diagnosis
public import LunaCore
import SystemBus

/// Asks GeoClue, over D-Bus (org.freedesktop.GeoClue2).
///
/// GeoClue tells a position when it changes. As long as it tells nothing, it is asked anew before
/// the last position grows too old.
public final class GeoClueLocation: LocationSource {
  /// How GeoClue knows us; its configuration can allow it by this name.
  static let desktopId = "luna"
  /// After how long without news it is asked anew.
  static let interval: Duration = .seconds(20)
  /// How long to wait before the next attempt after a failure.
  static let pause: Duration = .seconds(10)

  private static let manager = "org.freedesktop.GeoClue2.Manager"
  private static let client = "org.freedesktop.GeoClue2.Client"
  private static let location = "org.freedesktop.GeoClue2.Location"

  private enum News: Sendable {
    case location(String)
    case lost
    case askAgain
  }

  /// What GeoClue tells.
  public var updates: AsyncStream<LocationUpdate> { worker.updates }
  private let worker = LocationWorker()
  private let bus: any GeoClueBus
  private let accuracy: Double?
  private let clock: WallClock

  init(bus: any GeoClueBus, accuracy: Double?, clock: WallClock) {
    self.bus = bus
    self.accuracy = accuracy
    self.clock = clock
  }

  /// What it is.
  public var description: String { "GeoClue" }

  /// GClueAccuracyLevel: 8 exact, 6 street, 5 neighbourhood, 4 city.
  static func level(_ accuracy: Double?) -> UInt32 {
    switch accuracy ?? 0 {
    case ..<100: 8
    case ..<1000: 6
    case ..<5000: 5
    default: 4
    }
  }

  /// Begins to ask.
  public func start() async { worker.start { [self] in await run() } }

  /// Lets GeoClue switch its receivers off.
  public func stop() async { await worker.stop() }

  private func run() async {
    while !worker.isStopped {
      do throws(BusError) {
        try await session()
        if worker.isStopped { return }
        worker.tell(.unavailable("GeoClue has left the bus"))
      } catch {
        await bus.close()
        if worker.isStopped { return }
        worker.tell(.unavailable(GeoClueLocation.reason(error)))
      }
      guard (try? await clock.sleep(GeoClueLocation.pause)) != nil else { return }
    }
  }

  private static func reason(_ error: BusError) -> String {
    switch error.name {
    case BusError.serviceUnknown:
      "GeoClue is not there: install geoclue-2.0, or use another \(Remedy.Step.location)"
    case BusError.accessDenied:
      "GeoClue does not let us: allow [luna] in /etc/geoclue/geoclue.conf"
    default: "GeoClue: \(error)"
    }
  }

  /// One life of GeoClue, as far as we see it.
  private func session() async throws(BusError) {
    let (news, feed) = AsyncStream.makeStream(of: News.self, bufferingPolicy: .bufferingNewest(16))
    // A person may be asked before it starts, for up to a minute: who stops it does not wait for that.
    let goesOn = worker.interrupts { [bus] in
      feed.finish()
      Task { await bus.close() }
    }
    guard goesOn else { return }
    try await bus.open(
      onLocation: { feed.yield(.location($0)) }, onLoss: { feed.yield(.lost) })
    let path = try await bus.call(
      "/org/freedesktop/GeoClue2/Manager", GeoClueLocation.manager, "GetClient"
    ).first?.text
    guard let path else {
      throw BusError(name: BusError.noReply, message: "no client", operation: "GetClient")
    }
    let client = GeoClueLocation.client
    for (name, value) in [
      ("DesktopId", BusValue.string(GeoClueLocation.desktopId)),
      // The finder has a threshold of its own, and has to know that a position still holds.
      ("DistanceThreshold", .uint32(0)),
      ("RequestedAccuracyLevel", .uint32(GeoClueLocation.level(accuracy))),
    ] {
      try await bus.set(name, of: client, at: path, to: value)
    }
    _ = try await bus.call(path, client, "Start")
    worker.interrupts { feed.finish() }
    let ticker = Task { [clock] in
      while (try? await clock.sleep(GeoClueLocation.interval)) != nil { feed.yield(.askAgain) }
    }
    defer { ticker.cancel() }
    var hasNews = false
    for await item in news {
      switch item {
      case .location(let path):
        hasNews = true
        await tell(path)
      case .askAgain:
        if !hasNews {
          _ = try await bus.call(path, client, "Stop")
          _ = try await bus.call(path, client, "Start")
        }
        hasNews = false
      case .lost:
        await bus.close()
        return
      }
    }
    _ = try? await bus.call(path, client, "Stop")
    await bus.close()
  }

  private func tell(_ path: String) async {
    // The object may be gone already, with a newer one on its way.
    guard let properties = try? await bus.properties(of: GeoClueLocation.location, at: path) else {
      return
    }
    guard let fix = GeoClueFix.read(properties) else {
      worker.tell(.refused(.impossiblePosition))
      return
    }
    let refusal =
      fix.measuredAt == nil ? .impossibleDate : LocationRules.refusal(of: fix, at: clock.now())
    worker.tell(refusal.map { .refused($0) } ?? .fix(fix))
  }
}
