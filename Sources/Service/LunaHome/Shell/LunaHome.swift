public import Luna
import LunaBuzzer
public import LunaCore
import LunaJSON
import LunaLocal
public import LunaStore

/// A home that runs: the shell around ``HomeEngine``. It listens, fetches what others have heard, tells
/// the rules, keeps what comes of it and does what they ask for.
///
/// ```swift
/// let home = Luna(settings).home(HomeSettings(state: directory, load: load))
/// try await home.start()
/// for await change in await home.changes() { print(change.json) }
/// ```
public actor LunaHome {
  let luna: Luna
  let settings: HomeSettings
  var logger: any Logger { settings.logger }
  var clock: WallClock { luna.settings.clock }

  var loaded: LoadedHome?
  /// What the file said of the machine when this began: that holds until the end.
  var begun: HomeSetup?
  var engine: HomeEngine?
  var store: HomeStore?
  var outbox: (any HomeOutbox)?
  /// The devices of the file's trackers, by the trackers' ids.
  var devices: [String: Device] = [:]
  /// What classes of one's own have made of trackers, by the trackers' ids.
  var classed: [String: any HomeDevice] = [:]
  /// The last values of their properties, as they would be without these classes.
  var unclassed: [String: [String: PropertyValue]] = [:]
  var ear = HomeEar()
  /// Whether trackers of others stay with the box.
  var watch = HomeWatch()
  /// The models that trackers were found to be of, by their ids.
  var models: [String: String] = [:]
  var diary = HomeDiary()
  var radio: HomeLink
  var backend: HomeLink?
  /// Whether the backend was lost because the way there was.
  var isBackendCut = false
  /// When somebody looked and the backend was asked for that, the last time.
  var lastLook: Duration?
  /// When events were fetched the last time, µs since 1970.
  var lastFetch: Int64?
  var broker: HomeLink?
  /// What the last check of the uplink says.
  var uplink: HomeLink?
  /// Its verdict; empty where there is none, nil before somebody has looked.
  var uplinkVerdict: String?
  var notices: [HomeNotice] = []
  /// Where the box is.
  var box: LocationFix?
  /// Where trackers were when that was told last, and when that was, by boot time; by their ids.
  var toldFixes: [String: (fix: Fix, at: Int64)] = [:]
  /// The trackers of which it is to be told where they are a second after the last time.
  var owedFixes: Set<String> = []

  var pending = HomeCommit()
  var keeper = HomeKeeper()
  /// Whether the database was damaged or moved away, and no other one has come.
  var isStoreLost = false
  /// Rings when something is to be kept.
  let keeping = Bell()
  /// When the first of what is pending came; nil when nothing is.
  var pendingSince: Duration?

  var tasks: [Task<Void, Never>] = []
  var writer: Task<Void, Never>?
  /// Rings when the engine wants to be woken at another time.
  let waking = Bell()
  var wakeAt: Int64?
  var isRunning = false
  var journal = HomeJournal()
  /// How often each rule ran since the start.
  package internal(set) var firingCounts: [String: Int] = [:]
  let programs = Turnstile(places: 4)
  /// Through it goes who has the file read again, one at a time.
  let reloads = Turnstile(places: 1)
  var publisher: HomePublisher?
  /// The levels of the trackers that the broker is, or is about to be, told of.
  var announced: Set<String> = []
  /// Of whom brokers may have been told, and what of that was kept.
  var brokerMemory = BrokerMemory()
  var keptBrokerMemory: BrokerMemory?
  var socket: HomeSocket?
  /// What is being done, by a number of its own.
  var deeds: [Int: Task<Void, Never>] = [:]
  var lastDeed = 0
  /// Of which trackers people have asked what is being done, by the numbers of it.
  var asked: [Int: String] = [:]
  /// How commands went, by their ids; those of the process before are gone.
  var steps: [String: [HomeCommandStep]] = [:]
  /// The ids of ``steps``, the oldest first.
  var stepped: [String] = []
  /// Whether a tracker is being made one's own: one at a time.
  var isOnboarding = false
  /// Listens for the tracker of somebody else that is rung or asked what it is: one at a time.
  var strangerEar: SuspectEar?
  /// Is told of the devices whose shares are over.
  var tellEndedShare: (@Sendable (String) async -> Void)?
  /// Whether the scan ends only to begin with other keys.
  var isListeningAnew = false
  /// Ring when the keys of the trackers have been opened, or the home ends.
  let unlocking = (radio: Bell(), backend: Bell())
  /// Rings when the backend is there again.
  let fetching = Bell()
  /// Rings when one of them has ended.
  let resting = Bell()

  /// A home that does not run yet.
  public init(_ luna: Luna, _ settings: HomeSettings) {
    self.luna = luna
    self.settings = settings
    radio = HomeLink(state: .starting, text: "", since: luna.settings.clock.now().microseconds)
  }

  /// All of it at this moment.
  public func snapshot() -> HomeSnapshot {
    HomeSnapshot(
      revision: journal.revision, name: loaded?.configuration.name ?? "Home", time: now.wall,
      trackers: loaded?.configuration.trackers.filter { $0.id != "self" || box != nil }.map {
        tracker($0)
      } ?? [], radio: radio, backend: backend, broker: broker, uplink: uplink, notices: notices)
  }

  /// A tracker; nil when there is none of that id.
  public func tracker(_ id: String) -> HomeTracker? {
    loaded?.configuration.trackers.first { $0.id == id }.map { tracker($0) }
  }

  /// What changes from now on. Who is slow gets the last 1,024, and sees a gap in the revisions.
  public func changes() -> AsyncStream<HomeChange> { journal.listeners.makeStream() }

  /// What has changed after a revision; nil when that is too long ago: then everything is to be asked
  /// for anew.
  public func changes(after revision: Int64) -> [HomeChange]? { journal.changes(after: revision) }

  /// What is wrong in the file that holds.
  public var problems: [Problem] { loaded?.file.problems ?? [] }

  /// The file that holds; nil before the start.
  public var file: HomeFile? { loaded?.file }

  /// The rules, in the order of the file.
  public func rules() -> [HomeRuleStatus] {
    guard let engine else { return [] }
    return engine.configuration.ruleSummaries.map { summary in
      let state = engine.state.rules[summary.id]
      let until = state?.snoozedUntil.flatMap { $0 > now.wall ? $0 : nil }
      return HomeRuleStatus(
        summary: summary, snoozedUntil: until,
        lastRun: state?.lastRun.map { now.wall - (now.boot - $0) })
    }
  }

  /// The values that a property had, oldest first, 5,000 at most.
  ///
  /// - Parameters:
  ///   - start: from when, µs since 1970.
  ///   - end: until when, not included.
  ///   - bucket: puts values of so many µs together; nil for each on its own.
  public func history(
    of property: String, of tracker: String, from start: Int64, to end: Int64, limit: Int = 5000,
    bucket: Int64? = nil
  ) async throws(DeviceStoreError) -> [HomePoint] {
    try await store?.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.history(
        of: property, of: tracker, from: start, to: end, limit: min(max(1, limit), 5000),
        bucket: bucket)
    } ?? []
  }

  /// Where a tracker was, oldest first, 5,000 at most.
  public func track(
    of tracker: String, from start: Int64, to end: Int64, limit: Int = 5000
  ) async throws(DeviceStoreError) -> [HomeTrackPoint] {
    try await store?.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.track(of: tracker, from: start, to: end, limit: min(max(1, limit), 5000))
    } ?? []
  }

  /// Why rules ran, and why they did not, the newest first.
  ///
  /// - Parameters:
  ///   - rule: only of this one.
  ///   - end: none that is later, µs since 1970.
  public func explanations(
    of rule: String? = nil, until end: Int64 = .max, limit: Int = 100
  ) async throws(DeviceStoreError) -> [HomeExplanation] {
    try await store?.explanations(of: rule, until: end, limit: min(max(1, limit), 5000)) ?? []
  }

  /// Something that was asked of a tracker; nil when nobody knows of it.
  public func command(_ id: String) async throws(DeviceStoreError) -> HomeCommandRow? {
    try await store?.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.command(id)
    }
  }

  /// The steps that a command has taken, the first one first; those of the process before are gone.
  package func steps(of command: String) -> [HomeCommandStep] { steps[command] ?? [] }

  /// How people are told; nil before the start.
  package var notifications: NotificationSettings? { loaded?.configuration.notifications }

  /// The time zone of the box; nil before the start.
  package var zone: ZoneRules? { loaded?.configuration.zone }

  /// Whether all of it is made up.
  package var isSimulated: Bool { settings.isSimulated }

  var now: Moment {
    Moment(wall: clock.now().microseconds, boot: clock.elapsed().wholeMicroseconds)
  }

  /// Tells everybody what has changed.
  func tell(_ event: HomeChange.Event) {
    let change = journal.add(event, at: now.wall)
    publisher?.take(change) { tracker($0) }
  }

  /// Tells what was kept, in its order.
  func tell(_ events: [HomeChange.Event]) {
    for event in events { tell(event) }
  }

  /// A notice comes, or another of its kind gives way to it; nil takes it away.
  func notice(_ kind: HomeNotice.Kind, _ text: String?) {
    let old = notices.first { $0.kind == kind }
    guard old?.text != text else { return }
    notices.removeAll { $0.kind == kind }
    if let text {
      notices.append(HomeNotice(kind: kind, text: text, since: now.wall))
      logger.log(.INFO, text)
    }
    tell(.notices(notices))
  }
}
