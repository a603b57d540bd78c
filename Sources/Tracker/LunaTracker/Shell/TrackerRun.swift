public import Bluetooth
import EventLoop
import LunaCrypto
public import LunaProtocol
public import TrackerMachine

/// Runs trackers on a radio: the shell around ``TrackerMachine``. Flash is written before anything
/// that depends on it is sent; when that fails everything stops, and whoever is connected is
/// disconnected without an answer.
public actor TrackerRun {
  /// How the trackers run.
  public struct Settings: Sendable {
    /// How their time goes.
    public var time = ProtocolTime.real
    /// How wrong their oscillators are, ppm.
    public var drift: Int64 = 0
    /// Whether their clocks were lost while they had no power.
    public var losesClock = false

    /// Real time, exact oscillators, clocks kept.
    public init() {}
  }

  private struct Member {
    let flash: TrackerFlash
    let lock: FlashLock
    var machine: TrackerMachine
    var clockOffset: Int64
    var shown: TrackerAdvertisement?
    var link: PeripheralLink?
  }

  /// Flash is waited for.
  private let blocking = Blocking(name: "luna.tracker")
  /// Where it runs.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    blocking.asUnownedSerialExecutor()
  }

  private let radio: any AdvertisingRadio
  private let settings: Settings
  private let tell: @Sendable (TrackerNews) -> Void
  private var generator = SystemRandomNumberGenerator()
  private var members: [Member] = []
  private let inbox = TrackerInbox()

  /// Trackers that do not run yet.
  ///
  /// - Parameter tell: gets the news, in order.
  public init(
    radio: any AdvertisingRadio, settings: Settings = Settings(),
    tell: @escaping @Sendable (TrackerNews) -> Void
  ) {
    self.radio = radio
    self.settings = settings
    self.tell = tell
  }

  /// Reads the flashes, which nobody else may use until ``run()`` has ended, and opens the radio.
  ///
  /// - Throws: ``TrackerError`` or ``Bluetooth/SourceError``.
  public func open(_ flashes: [TrackerFlash]) async throws -> AdvertiserSummary {
    do {
      for flash in flashes {
        let lock = try flash.lock()
        do throws(TrackerError) {
          let image = try flash.load()
          let oscillator = TrackerMachine.Oscillator(
            speed: settings.time.speed, drift: settings.drift)
          members.append(
            Member(
              flash: flash, lock: lock,
              machine: TrackerMachine(record: image.record, oscillator: oscillator),
              clockOffset: image.clockOffset))
        } catch {
          lock.release()
          throw error
        }
      }
      return try await radio.open(
        count: members.count, serving: TrackerCharacteristic.services
      ) { [inbox] event, link in inbox.put(.link(event, link)) }
    } catch {
      for member in members { member.lock.release() }
      throw error
    }
  }

  /// Runs the trackers until ``stop()``.
  ///
  /// - Throws: ``TrackerError`` when flash cannot be written, ``Bluetooth/SourceError`` when the radio is
  ///   lost.
  public func run() async throws {
    do {
      for number in members.indices { try await start(number) }
      while !inbox.isClosed {
        if let entry = inbox.next() {
          try await take(entry)
          continue
        }
        let now = HostClock.uptime
        let deadlines = members.map { $0.machine.nextDeadline ?? .max }
        if let number = deadlines.firstIndex(where: { $0 <= now }) {
          try await handle(.timePassed, number)
        } else {
          // An hour at most: a host that slept, or a clock that was set, is noticed.
          let wait = min((deadlines.min() ?? .max) - now, 3_600_000)
          await inbox.wait(.milliseconds(wait))
        }
      }
      await radio.close()
      // The clocks of trackers go on without the program; what they drifted is kept.
      for number in members.indices { try store(members[number].machine.record, number) }
    } catch {
      await radio.close()
      for member in members { member.lock.release() }
      throw error
    }
    for member in members { member.lock.release() }
  }

  /// Ends ``run()``.
  public nonisolated func stop() { inbox.close() }

  /// Something happens to the tracker of this name. To be called in order, from any thread.
  public nonisolated func send(_ event: TrackerMachine.Event, to name: String) {
    inbox.put(.event(event, name))
  }

  private func take(_ entry: TrackerInbox.Entry) async throws {
    switch entry {
    case .event(let event, let name):
      for number in members.indices where members[number].flash.name == name {
        try await handle(event, number)
      }
    case .link(let event, let link):
      guard members.indices.contains(link.number) else { return }
      try await take(event, on: link)
    }
  }

  private func take(_ event: PeripheralEvent, on link: PeripheralLink) async throws {
    let number = link.number
    switch event {
    case .connected(let address):
      members[number].link = link
      news(.connected(address), number)
      try await handle(.connected, number)
    case .disconnected:
      guard members[number].link == link else { return }
      members[number].link = nil
      news(.disconnected, number)
      try await handle(.disconnected, number)
    case _ where members[number].link != link: return
    case .mtu, .read, .write:
      guard let event = TrackerMachine.Event(event) else {
        return await radio.respond(.refused(.unlikelyError), on: link)
      }
      try await handle(event, number)
    }
  }

  /// What belongs to a link that is down meanwhile is left out.
  private func perform(_ action: TrackerAction, on link: PeripheralLink?) async {
    guard let link else { return }
    switch action {
    case .respond(let response): await radio.respond(response.served, on: link)
    case .indicate(let characteristic, let value):
      await radio.indicate(value, of: characteristic.uuid, on: link)
    case .disconnect: await radio.disconnect(link)
    default: break
    }
  }

  private func start(_ number: Int) async throws {
    let member = members[number]
    let clock = settings.time.time(at: HostClock.real).addingReportingOverflow(member.clockOffset)
    let actions = try members[number].machine.start(
      at: HostClock.uptime, clock: settings.losesClock ? nil : clock.partialValue,
      using: &generator)
    let record = members[number].machine.record
    news(.started(record.state, isClockUncertain: record.isClockUncertain), number)
    try await perform(actions, number)
  }

  private func handle(_ event: TrackerMachine.Event, _ number: Int) async throws {
    let actions = try members[number].machine.handle(
      event, at: HostClock.uptime, using: &generator)
    try await perform(actions, number)
  }

  private func perform(_ actions: [TrackerAction], _ number: Int) async throws {
    for action in actions {
      switch action {
      case .store(let record): try store(record, number)
      case .advertise(let advertisement):
        try await radio.advertise(advertisement.sent, as: number)
        tellChanges(advertisement, number)
      case .silence:
        try await radio.silence(number)
        // What is sent next is told against what was sent before.
        if members[number].shown?.isConnectable == true {
          members[number].shown?.pdu = .advNonconnInd
          news(.connectable(false), number)
        }
      case .startSound(let seconds): news(.sound(seconds: seconds), number)
      case .stopSound: news(.sound(seconds: nil), number)
      case .startLight(let seconds): news(.light(seconds: seconds), number)
      case .stopLight: news(.light(seconds: nil), number)
      case .stateChanged(let state): news(.state(state), number)
      case .respond, .indicate, .disconnect: await perform(action, on: members[number].link)
      }
    }
  }

  private func store(_ record: TrackerRecord, _ number: Int) throws(TrackerError) {
    let member = members[number]
    if record.ownership != nil {
      let clock = member.machine.time(at: HostClock.uptime)
      members[number].clockOffset =
        clock.subtractingReportingOverflow(settings.time.time(at: HostClock.real)).partialValue
    } else {
      members[number].clockOffset = 0
    }
    try member.flash.store(
      FlashImage(record: record, clockOffset: members[number].clockOffset))
  }

  private func tellChanges(_ advertisement: TrackerAdvertisement, _ number: Int) {
    let before = members[number].shown
    members[number].shown = advertisement
    if before?.eid != advertisement.eid { news(.rotated(advertisement), number) }
    if before?.mode != advertisement.mode || before?.region != advertisement.region {
      news(.mode(advertisement.mode, region: advertisement.region), number)
    }
    if (before?.isConnectable ?? false) != advertisement.isConnectable {
      news(.connectable(advertisement.isConnectable), number)
    }
  }

  private func news(_ event: TrackerNews.Event, _ number: Int) {
    let member = members[number]
    tell(
      TrackerNews(
        tracker: member.flash.name, time: HostClock.real,
        clock: member.machine.time(at: HostClock.uptime), event: event))
  }
}
