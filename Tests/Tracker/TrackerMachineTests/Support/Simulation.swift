import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine
import VirtualRadio

/// A tracker that runs as fast as the test asks, with everything that it did.
struct Simulation {
  struct Advert {
    var uptime: Int64
    /// What the tracker's clock showed, ms.
    var time: Int64
    var delay: Int64
    var advertisement: TrackerAdvertisement
    /// The period that was in flash when it went on air.
    var storedPeriod: UInt32
  }

  var machine: TrackerMachine
  var generator: SplitMix64
  var uptime: Int64
  /// What flash has.
  var flash: TrackerRecord
  var adverts: [Advert] = []
  var actions: [TrackerAction] = []
  var steps = 0

  init(
    _ record: TrackerRecord, seed: UInt64 = 1, uptime: Int64 = 0,
    oscillator: TrackerMachine.Oscillator = .init(), hardware: TrackerHardware = .init()
  ) {
    machine = TrackerMachine(record: record, hardware: hardware, oscillator: oscillator)
    generator = SplitMix64(seed: seed)
    self.uptime = uptime
    flash = record
  }

  /// A keyed tracker whose clock is exact.
  static func keyed(
    seed: UInt64 = 1, time: UInt32 = TrackerSamples.time,
    oscillator: TrackerMachine.Oscillator = .init()
  ) throws -> Simulation {
    var simulation = Simulation(TrackerSamples.keyed(at: time), seed: seed, oscillator: oscillator)
    try simulation.start(clock: Int64(time) * 1000)
    return simulation
  }

  mutating func start(clock: Int64?) throws {
    take(try machine.start(at: uptime, clock: clock, using: &generator))
  }

  /// A power cut: what is not in flash is gone.
  mutating func restart(clock: Int64?) throws {
    machine = TrackerMachine(record: flash, hardware: machine.hardware)
    try start(clock: clock)
  }

  @discardableResult
  mutating func send(_ event: TrackerMachine.Event) throws -> [TrackerAction] {
    let done = try machine.handle(event, at: uptime, using: &generator)
    take(done)
    return done
  }

  private mutating func take(_ done: [TrackerAction]) {
    for action in done {
      switch action {
      case .store(let record): flash = record
      case .advertise(let advertisement):
        adverts.append(
          Advert(
            uptime: uptime, time: machine.time(at: uptime), delay: 0, advertisement: advertisement,
            storedPeriod: flash.storedPeriod))
      default: break
      }
    }
    actions += done
  }

  /// Lets time pass, deadline by deadline.
  mutating func run(for duration: Int64) throws {
    let end = uptime + duration
    while true {
      let deadline = try #require(machine.nextDeadline)
      try #require(deadline > uptime, "a deadline that does not move on")
      guard deadline <= end else { break }
      uptime = deadline
      steps += 1
      try send(.timePassed)
    }
    uptime = end
    try send(.timePassed)
  }

  /// Lets time pass at once; what was due meanwhile comes now.
  mutating func look(at time: Int64) throws {
    uptime = time
    try send(.timePassed)
  }

  var onAir: TrackerAdvertisement {
    get throws { try #require(machine.advertisement) }
  }

  /// The period that counts as on air, also while somebody is connected.
  var period: UInt32 {
    get throws { try #require(machine.period) }
  }

  /// The BLE frame on air; waits for one. While somebody is connected, what would be on air if that
  /// ended now.
  mutating func frame() throws -> LunaFrame {
    if machine.advertisement == nil {
      var copy = self
      try copy.send(.disconnected)
      return try copy.frame()
    }
    while try onAir.mode != .frame { try run(for: 100) }
    return try LunaFrame(advertisingData: try onAir.data.span)
  }

  mutating func read(_ characteristic: TrackerCharacteristic, offset: Int = 0) throws -> [UInt8] {
    for case .respond(.value(let bytes)) in try send(.read(characteristic, offset: offset)) {
      return bytes
    }
    return []
  }

  /// Writes, and returns what is indicated.
  mutating func write(_ characteristic: TrackerCharacteristic, _ bytes: [UInt8]) throws -> [UInt8] {
    for case .indicate(characteristic, let value) in try send(.write(characteristic, bytes)) {
      return value
    }
    return []
  }
}

extension [TrackerAction] {
  var disconnects: Bool {
    contains { if case .disconnect = $0 { true } else { false } }
  }
  var stores: [TrackerRecord] {
    compactMap { if case .store(let record) = $0 { record } else { nil } }
  }
}
