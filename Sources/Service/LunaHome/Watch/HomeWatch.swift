import Beacons
import Bluetooth
import LunaCore
import LunaLocal
import LunaProtocol
import LunaWatch

/// Whether trackers of others stay with whoever carries the box: what is heard, where the box is and who is known by
/// keys go in; what is found comes out, and stays with what an owner says of it.
struct HomeWatch {
  /// Fixes that wait for what was heard there, at most.
  private static let mostFixes = 4_096
  /// An older fix does not say where the box is, µs.
  private static let oldestFix: Int64 = 120_000_000
  /// A place that somebody wrote down is said again so often, µs: the box is still there.
  private static let standing: Int64 = 300_000_000
  /// Frames of two adapters may be out of order by so much, µs.
  private static let disorder: Int64 = 10_000_000
  /// Of so many identifiers it is known which of one's own trackers has them.
  private static let mostNames = 8_192

  /// What the file says.
  private(set) var setup = WatchSetup(nil)
  /// nil while nothing is watched.
  var engine: WatchEngine?
  /// What was found, in the order in which it came.
  var suspects: [HomeSuspect] = []
  /// What an owner has said of identifiers.
  var marks: [WatchIdentifier: WatchExclusion] = [:]
  /// The ids of what is to be kept, or is gone.
  var changed: Set<String> = []
  /// Since when it listens, µs since 1970.
  private(set) var since: Int64?
  /// What a process before this one has learned, until an engine goes on from it.
  var memory: HomeWatchMemory?
  /// Whether what was learned is to be kept, and when it is again.
  var isLearned = false
  var nextLearning = Int64.min
  /// Which of one's own trackers identifiers are.
  private(set) var names: [WatchIdentifier: String] = [:]
  private var trackers: [DeviceUUID: String] = [:]
  private let decoder = BeaconDecoder()
  private var beacons: [Beacon] = []
  private var fixes: [WatchFix] = []
  /// Where the box always is, and when that is to be said again.
  private var place: WatchFix?
  private var nextPlace = Int64.min
  /// When what the engine was told last was heard.
  private var latest = Timestamp.unknown
  /// When it is looked at what was linked since.
  var nextRefresh = Int64.min

  /// Watches as a file says; what was heard holds.
  mutating func adopt(_ configuration: HomeConfiguration, _ devices: [String: Device]) {
    setup = configuration.watch
    trackers = Dictionary(
      devices.sorted { $0.key < $1.key }.map { ($0.value.uuid, $0.key) }
    ) { first, _ in first }
    guard setup.isEnabled else {
      // Who turns it off does not want what it has learned to stay.
      (engine, since, memory, isLearned) = (nil, nil, nil, true)
      return
    }
    if engine == nil {
      resume()
      if engine == nil { engine = WatchEngine(settings) }
    } else {
      engine?.change(to: setup.sensitivity)
    }
    memory = nil
    // One's own places are known before one has slept there for four nights.
    engine?.mark(
      only: configuration.places.map {
        WatchFix(time: .unknown, latitude: $0.latitude, longitude: $0.longitude)
      })
  }

  private var settings: WatchSettings {
    var settings = WatchSettings()
    settings.sensitivity = setup.sensitivity
    return settings
  }

  /// Goes on from what a process before this one has learned, where it has learned something.
  mutating func resume() {
    guard let memory, let resumed = WatchEngine(settings, memory.engine) else { return }
    (engine, since) = (resumed, memory.since)
    self.memory = nil
    remark()
  }

  /// Takes where the box is: it waits for what is heard there, since the engine takes all in the order of time.
  mutating func move(to fix: LocationFix, at now: Timestamp) {
    let age = fix.measuredAt.map { now.microseconds &- $0.microseconds } ?? 0
    guard age <= HomeWatch.oldestFix else { return }
    // A satellite's clock may be ahead of this one.
    let time = age > 0 ? fix.measuredAt ?? now : now
    let taken = WatchFix(
      time: time, latitude: fix.latitude, longitude: fix.longitude,
      accuracy: fix.horizontalAccuracy)
    place = fix.measuredAt == nil ? taken : nil
    nextPlace = .min
    // A place that stays is told once: another file may want it later.
    guard place == nil, engine != nil else { return }
    if fixes.count >= HomeWatch.mostFixes { fixes.removeFirst(HomeWatch.mostFixes / 2) }
    fixes.append(taken)
  }

  /// Tells the engine where the box was up to a time.
  private mutating func move(until time: Timestamp) {
    guard time != .unknown else { return }
    if since == nil { since = time.microseconds }
    if latest != .unknown, latest.microseconds &- time.microseconds > HomeWatch.disorder {
      // The clock was set back: fixes of a time to come would be taken for now, or wait for long.
      fixes = []
      nextPlace = .min
    }
    var count = 0
    while count < fixes.count, fixes[count].time <= time {
      var fix = fixes[count]
      fix.time = min(max(fix.time, latest), time)
      engine?.move(to: fix)
      count += 1
    }
    if count > 0 { fixes.removeFirst(count) }
    if var place, time.microseconds >= nextPlace {
      place.time = time
      engine?.move(to: place)
      nextPlace = time.microseconds &+ HomeWatch.standing
    }
    latest = time
  }

  /// Takes what was heard, and what came of it for one's own trackers.
  mutating func take(_ reports: [AdvertisingReport], _ updates: [LocalUpdate]) {
    guard engine != nil else { return }
    let known = known(updates)
    for report in reports { hear(report, known) }
  }

  /// Whose keys are here, by their addresses. What others share is told apart, since it can be used to follow.
  private func known(
    _ updates: [LocalUpdate]
  ) -> [BluetoothAddress: (exclusion: WatchExclusion, tracker: String?)] {
    var known: [BluetoothAddress: (exclusion: WatchExclusion, tracker: String?)] = [:]
    for update in updates where update.event.isFrame {
      guard let uuid = update.state.uuid, let address = update.state.address,
        update.state.addressType.hasAddress
      else { continue }
      let exclusion: WatchExclusion = update.state.kind == .lunaShared ? .shared : .own
      known[address] = (exclusion, trackers[uuid])
    }
    return known
  }

  private mutating func hear(
    _ report: AdvertisingReport,
    _ known: [BluetoothAddress: (exclusion: WatchExclusion, tracker: String?)]
  ) {
    beacons.removeAll(keepingCapacity: true)
    decoder.decode(report, into: &beacons)
    let who = report.addressType.hasAddress ? known[report.address] : nil
    var isHeard = false
    for beacon in beacons {
      guard var frame = WatchFrame(beacon, in: report) else { continue }
      frame.exclusion = who?.exclusion
      if let tracker = who?.tracker { name(frame.identifier, tracker) }
      if hear(frame) { isHeard = true }
    }
    if !isHeard { listen(at: report.time) }
  }

  private mutating func name(_ identifier: WatchIdentifier, _ tracker: String) {
    guard names[identifier] == nil else { return }
    // Those that are still heard have their name again at once.
    if names.count >= HomeWatch.mostNames { names = [:] }
    names[identifier] = tracker
  }

  /// Takes note that the radio hears.
  mutating func listen(at time: Timestamp) {
    move(until: time)
    engine?.listen(at: time)
  }

  /// Takes a frame of a tracker.
  ///
  /// - Returns: whether trackers of its family are watched.
  @discardableResult
  mutating func hear(_ frame: WatchFrame) -> Bool {
    guard setup.families.isEmpty || setup.families.contains(frame.identifier.family) else {
      return false
    }
    move(until: frame.time)
    var frame = frame
    if frame.exclusion == nil, !marks.isEmpty { frame.exclusion = marks[frame.identifier] }
    engine?.hear(frame)
    return true
  }
}
