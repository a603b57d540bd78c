public import LunaCrypto
public import LunaProtocol

/// A tracker as a value: it takes what happens and tells what to do (PROTOCOL.md, 4 to 8 and 12 to
/// 14). It does no input or output, knows no time but the one that it is told, and draws all its
/// randomness from the generator that it is handed.
///
/// Times called `uptime` are milliseconds of a clock that only runs, such as since power-on. A power
/// cut is a new machine made of the record that was stored last.
public struct TrackerMachine: Sendable {
  /// The oscillator of a tracker.
  public struct Oscillator: Hashable, Sendable {
    /// How much faster than real time the tracker's clock runs, for tests; the times of
    /// PROTOCOL.md, 5, are multiplied by it, so that slots keep their real length.
    public var speed: Int64
    /// How wrong it is, parts per million.
    public var drift: Int64

    /// An oscillator; by default an exact one, in real time.
    public init(speed: Int64 = 1, drift: Int64 = 0) {
      self.speed = speed
      self.drift = drift
    }
  }

  /// Whose sound it is.
  enum SoundOrigin: Sendable {
    case owner, stranger
  }

  /// What is in flash, or will be when the actions are carried out.
  public internal(set) var record: TrackerRecord
  /// What the tracker has.
  public let hardware: TrackerHardware
  /// The battery.
  public internal(set) var battery = BatteryLevel.normal
  /// Whether the tracker found something wrong with itself.
  public internal(set) var hasFault = false
  /// Whether it is updating its firmware: commands are answered with `busy`.
  public var isBusy = false
  /// What is on air; nil before ``start(at:clock:using:)``, and while somebody is connected.
  public internal(set) var advertisement: TrackerAdvertisement?
  /// The period that counts as on air, also while somebody is connected; nil before
  /// ``start(at:clock:using:)``.
  public var period: UInt32? { show?.period }

  /// How long the button is held for a return to factory state, ms.
  static let resetHold: Int64 = 10_000

  /// How far from the epoch a clock can be set, ms: periods end before that, and sums fit.
  private static let longest: Int64 = 1 << 53

  /// The nearest time that a clock can be set to, ms: one that was kept, or is simulated, may be anywhere.
  package static func bounded(_ time: Int64) -> Int64 { min(max(time, -longest), longest) }

  let oscillator: Oscillator
  var clock: TrackerClock
  var startedAt: Int64 = 0
  var lastUptime: Int64 = 0
  /// All branches of the master key; nil in factory state.
  var keys: TrackerKeys?

  var minimumPeriod: UInt32 = 0
  /// The period that the clock is in, and the delay that was drawn for it, ms.
  var target: UInt32?
  var delay: Int64 = 0
  var show: TrackerShow?

  var soundUntil: Int64?
  var soundOrigin = SoundOrigin.owner
  var lightUntil: Int64?
  var strangerSoundAt: Int64?
  var buttonDownSince: Int64?
  var buttonPressedAt: Int64?
  /// When the commands of the last minute were executed.
  var executions: [Int64] = []
  var link: TrackerLink?
  /// The UUID of the last response of onboarding.
  var offeredUUID = DeviceUUID(high: 0, low: 0)

  /// A tracker without power.
  ///
  /// - Parameters:
  ///   - record: what is in its flash.
  ///   - hardware: what it has.
  ///   - oscillator: how its clock runs.
  public init(
    record: TrackerRecord, hardware: TrackerHardware = TrackerHardware(),
    oscillator: Oscillator = Oscillator()
  ) {
    self.record = record
    self.hardware = hardware
    self.oscillator = oscillator
    clock = TrackerClock(time: 0, at: 0)
  }

  /// Power comes.
  ///
  /// - Parameters:
  ///   - uptime: now, ms.
  ///   - clock: what the tracker's clock shows, ms, if it was kept; nil when it was lost. In factory
  ///     state the clock counts from power-on.
  ///   - generator: where randomness comes from.
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto fails.
  public mutating func start(
    at uptime: Int64, clock: Int64?, using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) -> [TrackerAction] {
    startedAt = uptime
    lastUptime = uptime
    if record.ownership != nil {
      let restart = TrackerRestart(storedPeriod: record.storedPeriod, clock: clock)
      minimumPeriod = restart.minimumPeriod
      record.isClockUncertain = record.isClockUncertain || restart.isClockUncertain
      self.clock = makeClock(restart.clock, at: uptime)
    }
    try adoptOwnership(at: uptime)
    var actions: [TrackerAction] = []
    try refresh(at: uptime, &actions, using: &generator)
    return actions
  }

  /// The clock that was kept is behind, nobody knows by how much: the status says so until the owner sets it. Told before
  /// ``start(at:clock:using:)``.
  package mutating func doubtClock() -> [TrackerAction] {
    guard record.ownership != nil, !record.isClockUncertain else { return [] }
    record.isClockUncertain = true
    return [.store(record)]
  }

  /// Something happens.
  ///
  /// - Parameters:
  ///   - event: what.
  ///   - uptime: now, ms; never less than before.
  ///   - generator: where randomness comes from.
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto fails.
  public mutating func handle(
    _ event: Event, at uptime: Int64, using generator: inout some RandomNumberGenerator
  ) throws(CryptoError) -> [TrackerAction] {
    var actions: [TrackerAction] = []
    expire(at: uptime, &actions)
    // What is on air counts for what happens now: rotations that are due come first.
    try refresh(at: uptime, &actions, using: &generator)
    switch event {
    case .timePassed: return actions
    case .buttonDown: pressButton(at: uptime, &actions)
    case .buttonUp: buttonDownSince = nil
    case .battery(let level): battery = level
    case .fault(let isThere): hasFault = isThere
    case .connected: link = TrackerLink(lastActivity: uptime)
    case .mtu(let mtu): link?.mtu = max(23, mtu)
    case .disconnected: link = nil
    case .read(let characteristic, let offset):
      try read(characteristic, from: offset, at: uptime, &actions, using: &generator)
    case .write(let characteristic, let bytes):
      try write(bytes, to: characteristic, at: uptime, &actions, using: &generator)
    }
    try refresh(at: uptime, &actions, using: &generator)
    return actions
  }

  /// What the tracker's clock shows, ms; in factory state the time since power-on.
  public func time(at uptime: Int64) -> Int64 { clock.time(at: uptime) }

  /// Whether the tracker is away from its owner (PROTOCOL.md, 5).
  public func isSeparated(at uptime: Int64) -> Bool {
    record.ownership != nil && time(at: uptime) > separationTime
  }

  /// The last moment that counts as near the owner, ms of the clock.
  var separationTime: Int64 {
    let (time, overflow) = record.ownerMetAt.addingReportingOverflow(
      TrackerAddress.separationTime * clock.speed)
    return overflow ? .max : time
  }

  func makeClock(_ time: Int64, at uptime: Int64) -> TrackerClock {
    TrackerClock(
      time: TrackerMachine.bounded(time), at: uptime, speed: oscillator.speed,
      drift: oscillator.drift)
  }

  /// Takes up the keys of the record, or the clock of the factory state.
  mutating func adoptOwnership(at uptime: Int64) throws(CryptoError) {
    show = nil
    target = nil
    guard let ownership = record.ownership else {
      keys = nil
      minimumPeriod = 0
      clock = makeClock(0, at: startedAt)
      return
    }
    var schedule = try KeySchedule()
    keys = schedule.keys(of: ownership.masterKey)
  }

  /// Forgets the owner (PROTOCOL.md, 14): a command or the button asked for it.
  mutating func resetToFactory(at uptime: Int64, _ actions: inout [TrackerAction]) {
    record = TrackerRecord(code: record.code)
    actions.append(.store(record))
    keys = nil
    show = nil
    target = nil
    minimumPeriod = 0
    clock = makeClock(0, at: startedAt)
    link?.onboarding = nil
    link?.info = nil
    link?.confirmation = nil
    link?.challenge = nil
    actions.append(.stateChanged(record.state))
  }
}
