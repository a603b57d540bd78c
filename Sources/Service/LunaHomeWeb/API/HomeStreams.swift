import Bluetooth
import HTTPServer
import LunaHome
import LunaJSON
import LunaStore
import Synchronization

/// The streams of changes that browsers and programs listen to.
final class HomeStreams: Sendable {
  private struct Listener: Sendable {
    let stream: EventStream
    let isGood: @Sendable () async -> Bool
    let reading: Task<Void, Never>
    /// Ends the stream when the rights do.
    let ending: Task<Void, Never>?

    func cancel() {
      reading.cancel()
      ending?.cancel()
    }
  }

  /// So many streams one account or token has at once: nobody takes those of all others.
  private static let limit = 16

  /// So often it is asked whether a guest still may listen.
  private static let interval = Duration.milliseconds(500)

  private struct State {
    /// Whose streams are open, or about to be.
    var holders: [Int: String] = [:]
    var listeners: [Int: Listener] = [:]
    var next = 0
  }

  private let home: LunaHome
  private let state = Mutex(State())

  init(_ home: LunaHome) { self.home = home }

  /// Begins a stream: from the event that a client has seen last, where those after it are still known.
  func begin(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let caller = try call.caller()
    let number = try state.withLock { state throws(ProblemDocument) in
      guard state.holders.values.count(where: { $0 == caller.name }) < HomeStreams.limit else {
        throw HomeAPI.tooMany(60)
      }
      state.next += 1
      state.holders[state.next] = caller.name
      return state.next
    }
    let isGood: @Sendable () async -> Bool = { [request = call.request] in
      // Who sees more or less now begins anew.
      guard let now = await api.still(caller, request) else { return false }
      return now.isSame(as: caller)
    }
    let stream = EventStream(mayGoOn: isGood) { [weak self] in self?.remove(number) }
    // Listening begins before the present is asked for: nothing falls in between.
    let changes = await home.changes()
    let snapshot = await home.snapshot()
    let last = call.request.lastEventID.flatMap { Int64($0) }
    stream.send([
      .beginning(String(last ?? snapshot.revision), retry: .seconds(2)),
      ServerSentEvent("hello", data: "{\"revision\":\"\(snapshot.revision)\"}"),
    ])
    var seen = snapshot.revision
    if let last {
      if let missed = await home.changes(after: last) {
        // What was before a guest got to see a tracker is not theirs, whatever was seen last.
        stream.send(
          missed.compactMap { change in
            HomeStreams.tracker(of: change).map { change.time >= caller.since($0) } ?? true
              ? HomeStreams.event(change, for: caller) : nil
          })
        seen = max(last, missed.last?.revision ?? last)
      } else {
        stream.send(ServerSentEvent("reset", data: "{}", id: String(snapshot.revision)))
      }
    }
    let reading = Task { [seen] in
      var seen = seen
      for await change in changes where change.revision > seen {
        // Changes that fell out of the buffer are gone.
        if change.revision > seen + 1 {
          stream.send(ServerSentEvent("reset", data: "{}", id: String(change.revision)))
        }
        seen = change.revision
        if let event = HomeStreams.event(change, for: caller) { stream.send(event) }
        if !stream.isOpen { break }
      }
      stream.close()
    }
    let ending = HomeStreams.end(stream, of: caller, at: call.time, isGood: isGood)
    let listener = Listener(stream: stream, isGood: isGood, reading: reading, ending: ending)
    let isOver = state.withLock { state in
      guard state.holders[number] != nil else { return true }
      state.listeners[number] = listener
      return false
    }
    if isOver { listener.cancel() }
    return HTTPResponse(events: stream)
  }

  /// Ends the stream of a guest with the right, and not with its next heartbeat; nil for others.
  private static func end(
    _ stream: EventStream, of caller: HomeCaller, at now: Timestamp,
    isGood: @escaping @Sendable () async -> Bool
  ) -> Task<Void, Never>? {
    guard caller.role == .guest else { return nil }
    let clock = ContinuousClock()
    let end = caller.until.map {
      clock.now + Duration.microseconds($0.microseconds - now.microseconds)
    }
    return Task {
      while true {
        // A command that takes a right away tells nobody.
        let soon = clock.now + HomeStreams.interval
        let next = end.map { min($0, soon) } ?? soon
        guard (try? await clock.sleep(until: next)) != nil else { return }
        if let end, end <= clock.now { break }
        guard await isGood() else { break }
      }
      stream.close()
    }
  }

  /// The tracker that a change is of; nil for none.
  private static func tracker(of change: HomeChange) -> String? {
    switch change.event {
    case .value(let tracker, _), .tracker(let tracker): tracker
    case .command, .firing, .held, .outcome, .link, .notices, .watch, .config: nil
    }
  }

  /// A change as who listens may see it; nil for nothing.
  static func event(_ change: HomeChange, for caller: HomeCaller) -> ServerSentEvent? {
    let mayKnow =
      switch change.event {
      case .value(let tracker, let value):
        caller.sees(tracker) && caller.shown(value, of: tracker) == value
      case .tracker(let tracker): caller.sees(tracker)
      case .command(let row): caller.sees(row)
      case .firing(let firing): caller.role > .guest && caller.sees(trigger: firing.cause.trigger)
      case .held(let held): caller.role > .guest && caller.sees(trigger: held.cause.trigger)
      // A notice may name files.
      case .link, .notices: caller.role > .guest
      // What began one that a crash interrupted is not known: it may have been the watch.
      case .outcome(let outcome):
        caller.role > .guest && caller.sees(trigger: outcome.trigger ?? "watch")
      case .watch: caller.role == .owner
      case .config: true
      }
    guard mayKnow else { return nil }
    return ServerSentEvent(
      change.name, data: change.json.description, id: String(change.revision))
  }

  /// Leads all apps that listen to their home screen.
  func navigateHome() {
    for listener in state.withLock({ Array($0.listeners.values) }) {
      listener.stream.send(ServerSentEvent("navigate", data: "{\"to\":\"home\"}"))
    }
  }

  private func remove(_ number: Int) {
    let listener = state.withLock { state in
      state.holders[number] = nil
      return state.listeners.removeValue(forKey: number)
    }
    listener?.cancel()
  }

  /// Ends the streams of those who may no longer.
  func checkRights() async {
    for listener in state.withLock({ Array($0.listeners.values) }) where await !listener.isGood() {
      listener.stream.close()
    }
  }

  /// Ends all.
  func stop() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.stream.close() }
  }
}
