import Bluetooth
import LunaProtocol
import LunaTesting
import PeripheralHost
import TrackerMachine

/// A tracker on a controller: what a board runs, as fast as a test wants.
final class TrackerScript {
  let script = HostScript(serving: TrackerCharacteristic.services)
  private(set) var machine: TrackerMachine
  private(set) var sounds: [Int] = []
  private var generator: Seeded
  private var link: PeripheralLink?
  /// What of ``HostScript/told`` the tracker knows.
  private var heard = 0

  init(_ record: TrackerRecord, clock: Int64, _ generator: Seeded) throws {
    machine = TrackerMachine(record: record)
    self.generator = generator
    script.start()
    perform(try machine.start(at: 0, clock: clock, using: &self.generator))
    try hear()
  }

  /// One with an owner, from whom it was parted so many milliseconds ago.
  static func keyed(parted: Int64, _ generator: Seeded) throws -> TrackerScript {
    let clock = Int64(TrackerSamples.time) * 1000
    var record = TrackerSamples.keyed()
    record.ownerMetAt = clock - parted
    return try TrackerScript(record, clock: clock, generator)
  }

  private var uptime: Int64 { script.now.wholeMilliseconds }

  /// The tracker's clock at a time since the start, ms.
  func clock(at time: Duration) -> Int64 { machine.time(at: time.wholeMilliseconds) }

  /// Lets time pass, deadline by deadline.
  func run(until end: Duration) throws {
    while let next = deadline, next <= end {
      script.advance(to: next)
      if let deadline = machine.nextDeadline, deadline <= uptime { try tell(.timePassed) }
      try hear()
    }
    script.advance(to: end)
    try hear()
  }

  private var deadline: Duration? {
    let deadlines = [machine.nextDeadline.map { Duration.milliseconds($0) }, script.host.deadline]
    return deadlines.compactMap { $0 }.min()
  }

  /// Something happens to the tracker.
  func tell(_ event: TrackerMachine.Event) throws {
    perform(try machine.handle(event, at: uptime, using: &generator))
  }

  /// The tracker hears what happened on links, and what follows from it.
  func hear() throws {
    while heard < script.told.count {
      let action = script.told[heard]
      heard += 1
      guard case .link(let event, let link) = action else { continue }
      self.link = event == .disconnected ? nil : link
      if let event = TrackerMachine.Event(event) { try tell(event) }
    }
  }

  private func perform(_ actions: [TrackerAction]) {
    for action in actions {
      switch action {
      case .advertise(let advertisement):
        script.perform(script.host.advertise(advertisement.sent, as: 0, at: script.now))
      case .silence: script.perform(script.host.silence(0, at: script.now))
      case .startSound(let seconds): sounds.append(seconds)
      case .respond, .indicate, .disconnect: if let link { perform(action, on: link) }
      case .store, .stopSound, .startLight, .stopLight, .stateChanged: break
      }
    }
  }

  private func perform(_ action: TrackerAction, on link: PeripheralLink) {
    let now = script.now
    switch action {
    case .respond(let response):
      script.perform(script.host.respond(response.served, on: link, at: now))
    case .indicate(let characteristic, let value):
      script.perform(script.host.indicate(value, of: characteristic.uuid, on: link, at: now))
    case .disconnect: script.perform(script.host.disconnect(link, at: now))
    default: break
    }
  }
}
