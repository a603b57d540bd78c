import Bluetooth
import HTTPServer
import LunaCore
import LunaFleet
import LunaJSON
import Synchronization

/// The streams of everybody who listens: what is new is read once, encoded once, and sent to all.
///
/// A stream first catches up with the changes that its client has missed, page by page as that one reads;
/// then it is live. While nobody listens nothing is done.
final class FleetStreams: Sendable {
  /// How often it is looked what other processes have changed; what this one has is told at once, and so
  /// is what the storage tells.
  private static let pause = Duration.milliseconds(500)
  private static let betweenStates = Duration.seconds(1)
  private static let betweenDashboards = Duration.seconds(5)
  /// How far back one can go on: so many changes.
  private static let replay: Int64 = 10_000
  /// With more than this at once, listeners are told to ask for everything instead, bytes.
  private static let burst = 128 << 10

  private struct State {
    var listeners: [Int: StreamListener] = [:]
    var lastKey = 0
    /// Those that have caught up, each with the number of the last change that it knows.
    var live: [Int: Int64] = [:]
    /// The last change that was told to those that are live.
    var number: Int64 = 0
    var isRunning = false
    var isStopping = false
    /// Whether all are being asked whether they still may listen, and are to be asked once more.
    var isAsking = false
    var mustAskAgain = false
  }

  private let fleet: FleetStore
  private let monitor: FleetMonitor
  private let now: @Sendable () -> Timestamp
  private let outage: StorageOutage
  private let alarm: Alarm
  private let state = Mutex(State())

  /// - Parameter alarm: rings when this process has changed something.
  init(
    _ fleet: FleetStore, _ monitor: FleetMonitor, alarm: Alarm, outage: StorageOutage,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.fleet = fleet
    self.monitor = monitor
    self.alarm = alarm
    self.outage = outage
    self.now = now
  }

  /// Ends the streams of a session whose clients have gone away: they do not count any more.
  private func dropAbandoned(of session: String) {
    let found = state.withLock { state in state.listeners.filter { $0.value.session == session } }
    for (key, listener) in found where listener.events.endIfAbandoned() { remove(key) }
  }

  /// A name for one more listener.
  func newKey() -> Int {
    state.withLock { state in
      state.lastKey += 1
      return state.lastKey
    }
  }

  /// Somebody listens from now on.
  ///
  /// - Parameters:
  ///   - position: the last change that it knows; nil for none that it could go on from.
  ///   - limit: how many streams a session has at most.
  /// - Returns: false where its session has as many.
  func add(
    _ listener: StreamListener, key: Int, after position: Int64?, limit: Int
  ) async throws -> Bool {
    let newest = try await newest()
    if let session = listener.session { dropAbandoned(of: session) }
    let known = position.flatMap {
      (max(0, newest - FleetStreams.replay)...newest).contains($0) ? $0 : nil
    }
    let start = known ?? newest
    listener.events.send(.beginning(String(start), retry: .seconds(1)))
    if position != nil, known == nil { listener.events.send(FleetStreams.reset(newest)) }
    // Counted where it is added: several may come at the same moment.
    let (isAdded, starts) = state.withLock { state -> (Bool, Bool) in
      let isFull =
        listener.session != nil
        && state.listeners.values.count { $0.session == listener.session } >= limit
      guard !isFull else { return (false, false) }
      guard !state.isStopping else { return (true, false) }
      state.listeners[key] = listener
      guard !state.isRunning else { return (true, false) }
      (state.isRunning, state.number) = (true, newest)
      return (true, true)
    }
    guard isAdded else { return false }
    if starts { Task { await run() } }
    Task { await catchUp(key, listener, from: start, isBehind: start < newest) }
    return true
  }

  /// Somebody does not listen any more.
  func remove(_ key: Int) {
    state.withLock { state in
      state.listeners[key] = nil
      state.live[key] = nil
    }
  }

  /// Asks of all whether they still may listen. Whoever has that asked while it is being asked has it asked once more,
  /// however many they are: anybody can sign out as often as they like.
  func checkRights() async {
    var isNext = state.withLock { state in
      state.mustAskAgain = state.isAsking
      defer { state.isAsking = true }
      return !state.isAsking
    }
    while isNext {
      for listener in state.withLock({ Array($0.listeners.values) }) {
        if await listener.events.mayNotGoOn() { listener.events.close() }
      }
      isNext = state.withLock { state in
        state.isAsking = state.mustAskAgain
        state.mustAskAgain = false
        return state.isAsking
      }
    }
  }

  /// Tells a listener that it is over.
  func end(_ key: Int) {
    guard let listener = state.withLock({ $0.listeners[key] }),
      listener.topics.contains(.session)
    else { return }
    listener.events.send(
      ServerSentEvent(StreamTopic.session.rawValue, data: #"{"signedIn":false}"#))
  }

  /// Stops to look for what is new.
  func stop() {
    state.withLock { $0.isStopping = true }
    alarm.ring()
  }

  /// What one who is too far behind, or was away for too long, is told.
  static func reset(_ number: Int64?) -> ServerSentEvent {
    ServerSentEvent(StreamTopic.reset.rawValue, data: "{}", id: number.map { String($0) })
  }

  /// The number of the last change.
  func newest() async throws(StorageError) -> Int64 {
    try await fleet.storage.lookUp { work throws(StorageError) in
      try work.row("SELECT coalesce(max(number), 0) FROM luna.changes")?.integer(0) ?? 0
    }
  }

  /// Sends what a client has missed, until it has missed nothing.
  private func catchUp(
    _ key: Int, _ listener: StreamListener, from start: Int64, isBehind: Bool
  ) async {
    var (position, isBehind) = (start, isBehind)
    while true {
      let isLive = state.withLock { [isBehind] state in
        guard state.listeners[key] != nil, !isBehind, state.number <= position else { return false }
        state.live[key] = position
        return true
      }
      guard !isLive, await listener.events.drained() else { return }
      do {
        let statuses = try await monitor.statuses(at: now())
        let page = try await StreamPage(after: position, fleet, statuses)
        if listener.topics.contains(.gateway) { listener.events.send(page.events.map(\.event)) }
        (position, isBehind) = (page.last, page.isFull)
      } catch {
        // It comes back, and says where it was.
        listener.events.close()
        return
      }
    }
  }

  private func run() async {
    var (states, dashboards) = (ContinuousClock.now, ContinuousClock.now)
    var isFirst = true
    let watch = fleet.storage.watch { [alarm] in alarm.ring() }
    defer { watch?.end() }
    while true {
      let began = ContinuousClock.now
      do {
        // The first look only finds out how all is.
        if states <= began {
          try await monitor.look(at: now())
          let differences = await monitor.takeDifferences()
          if !isFirst { tell(differences) }
          isFirst = false
          states = began.advanced(by: FleetStreams.betweenStates)
        }
        try await tellChanges()
        if dashboards <= began {
          try await tellDashboards()
          dashboards = began.advanced(by: FleetStreams.betweenDashboards)
        }
        outage.worked("stream")
      } catch FleetFailure.storage(let error) {
        outage.failed(error, "stream", since: began)
      } catch let error as StorageError {
        outage.failed(error, "stream", since: began)
      } catch {}
      let ends = state.withLock { state in
        if state.listeners.isEmpty || state.isStopping { state.isRunning = false }
        return !state.isRunning
      }
      if ends { return }
      await alarm.sleep(atMost: FleetStreams.pause)
    }
  }

  /// Tells what was changed since the last time.
  private func tellChanges() async throws {
    let known = state.withLock { $0.number }
    let newest = try await newest()
    guard newest != known else { return }
    // A server has taken over that had not all changes: nobody can go on from those that are gone.
    let isBack = newest < known
    let statuses = try await monitor.statuses(at: now())
    var position = known
    var events: [(number: Int64, event: ServerSentEvent)] = []
    var bytes = 0
    while position < newest, bytes <= FleetStreams.burst {
      let page = try await StreamPage(after: position, fleet, statuses)
      events += page.events
      bytes += page.events.reduce(0) { $0 + $1.event.byteCount }
      guard page.last > position else { break }
      position = page.last
    }
    let isReset = isBack || bytes > FleetStreams.burst
    if isReset {
      position = isBack ? newest : max(position, newest)
      events = [(position, FleetStreams.reset(position))]
    }
    let last = position
    let told = state.withLock { state -> [(StreamListener, Int64)] in
      state.number = last
      return state.live.compactMap { key, number in
        state.live[key] = isBack ? last : max(number, last)
        return state.listeners[key].map { ($0, number) }
      }
    }
    for (listener, number) in told {
      for (own, event) in events where isBack || own > number {
        if isReset || listener.topics.contains(.gateway) {
          listener.events.send(event)
        }
      }
    }
  }

  private func listeners(to topic: StreamTopic) -> [StreamListener] {
    state.withLock { $0.listeners.values.filter { $0.topics.contains(topic) } }
  }

  private func tell(_ differences: [FleetMonitor.Difference]) {
    let interested = listeners(to: .state)
    let watching = listeners(to: .health).filter { !$0.watched.isEmpty }
    for difference in differences {
      let (id, status) = (difference.entry.gateway.id, difference.entry.status)
      if difference.isState, !interested.isEmpty {
        let event = ServerSentEvent(
          StreamTopic.state.rawValue,
          data: JSONValue.object(FleetStreams.state(id, status)).description)
        for listener in interested { listener.events.send(event) }
      }
      let watchers = watching.filter { $0.watched.contains(id) }
      if !watchers.isEmpty {
        var json = FleetStreams.state(id, status)
        if let health = status.health { json.append("health", .object(health)) }
        let event = ServerSentEvent(
          StreamTopic.health.rawValue, data: JSONValue.object(json).description)
        for listener in watchers { listener.events.send(event) }
      }
    }
  }

  private static func state(_ id: String, _ status: GatewayStatus) -> JSONObject {
    var json: JSONObject = [
      "id": .string(id), "state": .string(status.state), "verdict": .string(status.verdict),
      "reasons": .array(status.reasons.map { .object($0) }),
    ]
    if let seenAt = status.seenAt { json.append("seenAt", .string(seenAt.rfc3339)) }
    if let version = status.version { json.append("version", .string(version)) }
    return json
  }

  private func tellDashboards() async throws {
    let interested = listeners(to: .dashboard)
    guard !interested.isEmpty else { return }
    let widgets = DashboardNow(await monitor.present).widgets
    let event = ServerSentEvent(
      StreamTopic.dashboard.rawValue,
      data: JSONValue.object(["widgets": .object(widgets)]).description)
    for listener in interested { listener.events.send(event) }
  }
}
