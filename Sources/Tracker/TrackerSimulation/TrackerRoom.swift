public import Bluetooth
import EventLoop
import LunaCrypto
public import LunaProtocol
public import LunaTracker
import Synchronization
public import TrackerMachine
import VirtualRadio

/// The trackers of a virtual room, and the way to connect to them.
///
/// ```swift
/// let room = try TrackerRoom(seed: 1)
/// try room.add(TrackerFlash(name: "Keys", state: directory))
/// let radio = room.radio()
/// try await radio.source.start()
/// ```
///
/// Trackers with a flash go on where they were left, and stay what they become. They belong to the
/// room until the power is cut or nothing refers to the room any more.
public final class TrackerRoom: Sendable {
  /// Gets what trackers do, in order: sound, light, state.
  public typealias NewsHandler = @Sendable (TrackerNews) -> Void
  /// Gets why a tracker has gone silent: its flash cannot be written.
  public typealias FailureHandler = @Sendable (String, TrackerError) -> Void

  private struct Member: Sendable {
    let flash: TrackerFlash
    let lease: FlashLease
    let image: FlashImage
  }

  private struct State: Sendable {
    var members: [Member] = []
    var bodies: [VirtualBody] = []
    /// Accessories of other makers that somebody has connected to, by their number in the room.
    var accessories: [Int: AccessoryBody] = [:]
    var ticker: Ticker?
  }

  private let seed: UInt64
  private let time: ProtocolTime
  private let demo: [DemoTracker]
  private let clock: any Clock<Duration>
  private let tell: NewsHandler
  private let fail: FailureHandler
  private let state = Mutex(State())
  /// Where trackers are asked: they answer when their flash is written.
  private let blocking = Blocking(name: "luna.room")
  /// What those who connect wait for.
  let changes = RoomChanges()

  /// A room with the LunaTrackers of a seed.
  ///
  /// - Parameters:
  ///   - seed: what chance decides; also who is there (``DemoTracker``).
  ///   - demoKinds: which LunaTrackers of the seed are there.
  ///   - time: how the trackers' time goes.
  ///   - clock: what is waited by.
  /// - Throws: ``LunaTracker/TrackerError`` when libcrypto fails.
  public init(
    seed: UInt64, demoKinds: Set<DemoTracker.Kind> = [.own, .foreign, .factory],
    time: ProtocolTime = .real,
    clock: any Clock<Duration> = ContinuousClock(), tell: @escaping NewsHandler = { _ in },
    fail: @escaping FailureHandler = { _, _ in }
  ) throws(TrackerError) {
    self.seed = seed
    self.time = time
    self.clock = clock
    self.tell = tell
    self.fail = fail
    demo = try DemoTracker.all(seed: seed).filter { demoKinds.contains($0.kind) }
  }

  /// Brings a tracker into the room; to be done before it is opened. Nobody else can run it
  /// meanwhile.
  ///
  /// - Throws: ``LunaTracker/TrackerError``; of kind `busy` when another process runs it.
  public func add(_ flash: TrackerFlash) throws(TrackerError) {
    let lease = FlashLease(try flash.lock())
    let member = Member(flash: flash, lease: lease, image: try flash.load())
    state.withLock { $0.members.append(member) }
  }

  /// What the trackers are called.
  public var names: [String] { demo.map(\.name) + state.withLock { $0.members.map(\.flash.name) } }

  /// The air of the room, and the way to connect. The room opens when the source is started.
  ///
  /// - Parameters:
  ///   - isActive: whether to ask for scan responses.
  ///   - startTime: the time at which the room opens; nil for the present.
  ///   - link: what connections are like.
  public func radio(
    isActive: Bool = true, startingAt startTime: Timestamp? = nil,
    link: VirtualLinkSettings = .init()
  ) -> Radio {
    let source = VirtualRadioSource(
      seed: seed, isActive: isActive, startTime: startTime, clock: clock,
      blocking: state.withLock(\.members).isEmpty ? nil : blocking
    ) { self.open(at: $0) }
    return Radio(
      source: source,
      client: VirtualGATTClient(self, link) { [weak source] in source?.accessory(at: $0) })
  }

  /// The trackers as guests of a room that is opened now. Opened again, by another scan, it has the same
  /// trackers, which have gone on meanwhile.
  func open(at start: Timestamp) -> [any VirtualAdvertiser] {
    let (present, uptime) = (state.withLock(\.bodies), uptime)
    let bodies = isOpen ? present : fill(at: start)
    return bodies.enumerated().map { index, body in
      VirtualTracker(body, seed: DemoTracker.chance(seed, UInt64(index)), openedAt: uptime)
    }
  }

  private func fill(at start: Timestamp) -> [VirtualBody] {
    let bodies = demo.compactMap { body(of: $0, start.microseconds) }
    let own = state.withLock(\.members).compactMap { body(of: $0, start.microseconds / 1000) }
    let ticker = Ticker(clock)
    state.withLock { state in
      state.bodies = bodies + own
      state.ticker = ticker
    }
    return bodies + own
  }

  // Errors of libcrypto leave a tracker out: nothing else would work then.

  private func body(of tracker: DemoTracker, _ start: Int64) -> VirtualBody? {
    let (machine, clock) = tracker.machine(at: start, time: time)
    let chance = SplitMix64(seed: DemoTracker.chance(seed, UInt64(tracker.index)))
    return try? VirtualBody(
      machine, name: tracker.name, clock: clock, chance: .seeded(chance), start: start / 1000,
      time: time, changes: changes, tell: tell)
  }

  private func body(of member: Member, _ start: Int64) -> VirtualBody? {
    let clock = time.time(at: start).addingReportingOverflow(member.image.clockOffset).partialValue
    let (name, flash, lease, fail) = (member.flash.name, member.flash, member.lease, fail)
    return try? VirtualBody(
      TrackerMachine(
        record: member.image.record, oscillator: TrackerMachine.Oscillator(speed: time.speed)),
      name: name, clock: clock, chance: .system, start: start, time: time,
      flash: { image in
        // The lease goes when the power does.
        guard lease.isHeld else { throw TrackerError(.busy, "the tracker has no power") }
        do throws(TrackerError) {
          try flash.store(image)
        } catch {
          fail(name, error)
          throw error
        }
      }, changes: changes, tell: tell)
  }

  /// Something happens to the tracker of a name, such as its button.
  public func send(_ event: TrackerMachine.Event, to name: String) async {
    await ask { [self] in
      let (bodies, uptime) = (state.withLock(\.bodies), uptime)
      for body in bodies where body.name == name { body.send(event, at: uptime) }
    }
  }

  /// Asks trackers something, one question after the other.
  func ask<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer {
    await blocking.run(body)
  }

  /// The same, for who cannot wait for an answer.
  func tell(_ body: @escaping @Sendable () -> Void) { blocking.start(body) }

  /// What the tracker of a name keeps; nil before the room is open, and when it is not there.
  func record(of name: String) -> TrackerRecord? {
    state.withLock(\.bodies).first { $0.name == name }?.record
  }

  /// A power cut for all trackers: connections break, nothing is heard any more, and their flashes
  /// are free for others.
  public func cutPower() {
    let state = state.withLock { state in
      defer { state.members = [] }
      return state
    }
    for body in state.bodies { body.cutPower() }
    for member in state.members { member.lease.end() }
  }

  /// The time since the room was opened, ms; 0 before.
  var uptime: Int64 {
    guard let ticker = state.withLock(\.ticker) else { return 0 }
    return ticker.elapsed().wholeMilliseconds
  }

  /// Whether the room was opened.
  var isOpen: Bool { state.withLock { $0.ticker != nil } }

  /// Waits; returns early when the task is cancelled.
  func sleep(for duration: Duration) async {
    guard let ticker = state.withLock(\.ticker) else { return }
    _ = try? await ticker.sleep(ticker.elapsed() + duration)
  }

  /// Waits until somebody may take a connection who did not after so many changes: until there is another one, a
  /// tracker does something by itself, or it is a time of the room.
  func waitForChange(after count: Int, until end: Int64) async {
    let due = await ask { [self] in
      state.withLock(\.bodies).compactMap(\.nextDeadline).min() ?? end
    }
    let time = max(1, min(end, due) - uptime)
    await changes.wait(after: count) { [self] in await sleep(for: .milliseconds(time)) }
  }

  /// Connects to the tracker that takes connections at an address now.
  func connect(
    _ link: VirtualLink, to address: BluetoothAddress, mtu: Int
  ) async -> (body: VirtualBody, hardware: TrackerHardware)? {
    await ask { [self] in
      let (bodies, uptime) = (state.withLock(\.bodies), uptime)
      for body in bodies {
        if let hardware = body.connect(link, to: address, mtu: mtu, at: uptime) {
          return (body, hardware)
        }
      }
      return nil
    }
  }

  /// Connects to an accessory of another maker; nil while somebody else is connected.
  func connect(
    to accessory: VirtualAccessory, _ settings: VirtualLinkSettings, _ limits: GATTLimits
  ) -> AccessoryConnection? {
    let body = state.withLock { state in
      let body = state.accessories[accessory.number] ?? AccessoryBody(accessory, changes)
      state.accessories[accessory.number] = body
      return body
    }
    let connection = AccessoryConnection(self, body, settings, limits)
    return body.connect(connection) ? connection : nil
  }
}
