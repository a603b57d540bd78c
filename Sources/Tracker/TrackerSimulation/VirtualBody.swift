import Bluetooth
import LunaCrypto
import LunaProtocol
import LunaTracker
import Synchronization
import TrackerMachine

/// A tracker of a virtual room: its machine, its flash, and who is connected to it. Times are ms since
/// the room was opened.
final class VirtualBody: Sendable {
  /// Keeps an image; nil for trackers that live as long as the room.
  typealias Flash = @Sendable (FlashImage) throws -> Void

  private struct State {
    var machine: TrackerMachine
    var chance: TrackerChance
    var uptime: Int64 = 0
    var link: VirtualLink?
    /// Without power: its flash could not be written, or the power was cut.
    var isDead = false

    /// Where it takes connections now.
    var openAddress: BluetoothAddress? {
      guard !isDead, link == nil, let shown = machine.advertisement, shown.isConnectable else {
        return nil
      }
      return shown.address
    }
  }

  /// What it is called.
  let name: String
  private let flash: Flash?
  /// The time of the host when the room was opened, Unix ms, and how the tracker's time goes.
  private let start: Int64
  private let time: ProtocolTime
  private let tell: @Sendable (TrackerNews) -> Void
  /// Is told when it begins to take connections.
  private let changes: RoomChanges?
  private let state: Mutex<State>

  /// A tracker that gets its power when the room is opened.
  ///
  /// - Parameter clock: what its clock shows then, ms; nil when it was lost.
  init(
    _ machine: TrackerMachine, name: String, clock: Int64?, chance: TrackerChance, start: Int64 = 0,
    time: ProtocolTime = .real, flash: Flash? = nil,
    changes: RoomChanges? = nil, tell: @escaping @Sendable (TrackerNews) -> Void = { _ in }
  ) throws(CryptoError) {
    self.name = name
    self.flash = flash
    self.start = start
    self.time = time
    self.changes = changes
    self.tell = tell
    var state = State(machine: machine, chance: chance)
    let actions = try state.machine.start(at: 0, clock: clock, using: &state.chance)
    self.state = Mutex(state)
    work { _ = self.perform(actions, &$0, &$1) }
  }

  /// What is sent at a time; nil without power, and while somebody is connected.
  func advertisement(at uptime: Int64) -> TrackerAdvertisement? {
    work { state, news in
      self.advance(to: uptime, &state, &news)
      return state.isDead ? nil : state.machine.advertisement
    }
  }

  /// Whether it has no power any more.
  var isDead: Bool { state.withLock(\.isDead) }

  /// When what is sent changes, if it does up to a time and nobody interferes.
  func change(upTo uptime: Int64) -> Int64? {
    var state = state.withLock { $0 }
    let now = state.machine.advertisement
    while let deadline = state.machine.nextDeadline, deadline <= uptime {
      _ = try? state.machine.handle(.timePassed, at: deadline, using: &state.chance)
      if state.machine.advertisement != now { return deadline }
    }
    return nil
  }

  /// When it has to do something by itself.
  var nextDeadline: Int64? { state.withLock { $0.isDead ? nil : $0.machine.nextDeadline } }

  /// Its state.
  var record: TrackerRecord { state.withLock { $0.machine.record } }

  /// Connects, if it takes connections now at this address.
  ///
  /// - Returns: what it has; nil when it does not.
  func connect(
    _ link: VirtualLink, to address: BluetoothAddress, mtu: Int, at uptime: Int64
  ) -> TrackerHardware? {
    work { state, news in
      self.advance(to: uptime, &state, &news)
      guard state.openAddress == address else { return nil }
      state.link = link
      _ = self.handle(.connected, &state, &news)
      _ = self.handle(.mtu(mtu), &state, &news)
      return state.isDead ? nil : state.machine.hardware
    }
  }

  /// What it answers on a connection; nil when that is gone.
  func exchange(_ event: TrackerMachine.Event, on link: VirtualLink, at uptime: Int64)
    -> TrackerResponse?
  {
    work { state, news in
      self.advance(to: uptime, &state, &news)
      guard state.link === link else { return nil }
      return self.handle(event, &state, &news)
    }
  }

  /// The connection is gone.
  func disconnect(_ link: VirtualLink, _ kind: GATTError.Kind, at uptime: Int64) {
    work { state, news in
      self.advance(to: uptime, &state, &news)
      if state.link === link { self.drop(kind, &state, &news) }
    }
    link.end(kind)
  }

  /// Somebody does something to it.
  func send(_ event: TrackerMachine.Event, at uptime: Int64) {
    work { state, news in
      self.advance(to: uptime, &state, &news)
      _ = self.handle(event, &state, &news)
    }
  }

  /// No more power.
  func cutPower() { work { state, _ in self.die(&state) } }

  /// Does something, then tells what came of it.
  private func work<Result: Sendable>(
    _ body: (inout State, inout [TrackerNews.Event]) -> Result
  ) -> Result {
    let (result, news, isOpening) = state.withLock { state in
      let before = state.openAddress
      var events: [TrackerNews.Event] = []
      let result = body(&state, &events)
      let open = state.openAddress
      let (uptime, clock) = (state.uptime, state.machine.time(at: state.uptime))
      return (
        result,
        events.map {
          TrackerNews(tracker: name, time: start &+ uptime, clock: clock, event: $0)
        },
        open != nil && open != before
      )
    }
    if isOpening { changes?.note() }
    news.forEach(tell)
    return result
  }

  private func advance(
    to uptime: Int64, _ state: inout State, _ news: inout [TrackerNews.Event]
  ) {
    while !state.isDead, let deadline = state.machine.nextDeadline, deadline <= uptime {
      state.uptime = max(state.uptime, deadline)
      _ = handle(.timePassed, &state, &news)
    }
    state.uptime = max(state.uptime, uptime)
  }

  private func handle(
    _ event: TrackerMachine.Event, _ state: inout State, _ news: inout [TrackerNews.Event]
  ) -> TrackerResponse? {
    guard !state.isDead else { return nil }
    do throws(CryptoError) {
      return perform(
        try state.machine.handle(event, at: state.uptime, using: &state.chance), &state, &news)
    } catch {
      // It worked when the room was opened; a tracker that cannot go on is silent.
      die(&state)
      return nil
    }
  }

  @discardableResult
  private func perform(
    _ actions: [TrackerAction], _ state: inout State, _ news: inout [TrackerNews.Event]
  ) -> TrackerResponse? {
    var response: TrackerResponse?
    for action in actions {
      switch action {
      case .store(let record):
        guard store(record, state) else {
          // An answer must not be out before what stands for it is in flash.
          die(&state)
          return nil
        }
      case .advertise, .silence: break
      case .respond(let answer): response = answer
      case .indicate(let characteristic, let value): state.link?.indicate(characteristic, value)
      case .disconnect: drop(.abortedByPeer, &state, &news)
      case .startSound(let seconds): news.append(.sound(seconds: seconds))
      case .stopSound: news.append(.sound(seconds: nil))
      case .startLight(let seconds): news.append(.light(seconds: seconds))
      case .stopLight: news.append(.light(seconds: nil))
      case .stateChanged(let new): news.append(.state(new))
      }
    }
    return response
  }

  private func store(_ record: TrackerRecord, _ state: State) -> Bool {
    guard let flash else { return true }
    var offset: Int64 = 0
    if record.ownership != nil {
      let clock = state.machine.time(at: state.uptime)
      let host = time.time(at: start &+ state.uptime)
      offset = clock.subtractingReportingOverflow(host).partialValue
    }
    return (try? flash(FlashImage(record: record, clockOffset: offset))) != nil
  }

  private func drop(
    _ kind: GATTError.Kind, _ state: inout State, _ news: inout [TrackerNews.Event]
  ) {
    guard let link = state.link else { return }
    state.link = nil
    link.end(kind)
    _ = handle(.disconnected, &state, &news)
  }

  private func die(_ state: inout State) {
    state.isDead = true
    state.link?.end(.abortedByPeer)
    state.link = nil
  }
}
