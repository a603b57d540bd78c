import Beacons
package import Bluetooth
package import LunaCore
package import LunaCrypto
package import LunaProtocol

/// Tells which device is behind each advertisement, and follows its clock (PROTOCOL.md, 11): the
/// state machine inside `LunaLocal`, without I/O and without a clock of its own. Reports go in, with
/// their time; what happened to devices comes out, in an order that depends on the reports alone.
///
/// Not to be used from two threads at once.
package final class TrackerFollower {
  /// How it listens.
  package let configuration: LocalConfiguration
  /// What was heard so far.
  package internal(set) var counters = LocalCounters()
  /// Whether something is to be stored: clocks, derivations.
  package internal(set) var hasNews = false

  var deriver: IdentifierDeriver
  /// All candidates of all devices.
  var index = EIDIndex()
  /// The first four bytes of the HEIDs of the expected periods, which is what iBeacon frames show.
  var prefixes = EIDIndex()
  var tracked: [TrackedDevice] = []
  /// Where trackers were heard: iBeacon frames come from the same address.
  var addresses: [UInt64: UInt32] = [:]
  /// What became of resolvable private addresses, when there are keys for such: the number of a
  /// device, or `UInt32.max` for none.
  var resolved: [UInt64: UInt32] = [:]
  let resolvers: [Int]

  var foreign: [ForeignDevice?] = []
  var freeForeign: [Int] = []
  var foreignNumbers: [ForeignDevice.Identity: Int] = [:]
  /// Those that are present, the longest silent first.
  var recency = RecencyList()
  var foreignRecency = RecencyList()
  var unknown: UnknownIdentifiers
  var search: WideSearchPass?
  /// What is still to be derived, and where it goes on.
  var slowPieces: [SlowPiece] = []
  var nextSlowPiece = 0
  var lastSearches: [Timestamp] = [.unknown, .unknown]

  /// Whether who is not heard is silent: not while the radio does not work.
  var judgesSilence = true

  /// The time of the last report, and the protocol time that goes with it, Unix ms.
  var now = Timestamp.unknown
  var time: Int64 = .min
  /// The devices before this one have been refreshed in the cycle that began at `cycleStart`.
  var refreshed = 0
  var cycleStart: Int64?

  /// Whose status was given to others, and until when.
  private var sharedStatus: [DeviceUUID: Timestamp] = [:]

  private var problems: [LocalProblem] = []
  private var toldProblems: Set<LocalProblem> = []
  var sightings: [Sighting] = []

  let decoder: BeaconDecoder
  let followsOthers: Bool
  var beacons: [Beacon] = []

  /// A follower of some devices, none of which has been heard.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer what keys are derived with.
  package init(
    _ devices: [Device], configuration: LocalConfiguration = LocalConfiguration()
  ) throws(CryptoError) {
    self.configuration = configuration
    decoder = BeaconDecoder(regions: configuration.regions, companies: configuration.companies)
    var deriver = try IdentifierDeriver()
    for device in devices {
      var keys: TrackerKeys?
      if let masterKey = device.masterKey { keys = deriver.schedule.keys(of: masterKey) }
      let state = LocalDevice.State(
        uuid: device.uuid, kind: device.keys.kind, name: device.name)
      tracked.append(
        TrackedDevice(
          number: UInt32(tracked.count), device, LocalDevice(state), lunaKeys: keys, clock: nil,
          ppm: configuration.ppm))
    }
    self.deriver = deriver
    unknown = UnknownIdentifiers(limit: configuration.foreignLimit)
    followsOthers = devices.contains {
      [.eddystoneEID, .appleFindMy, .googleFindHub].contains($0.keys.kind.sends)
    }
    resolvers = devices.indices.filter { devices[$0].keys.kind == .resolvableAddress }
    tellSameKeys()
  }

  /// All devices: one's own in their order, then the foreign ones that are present.
  package var devices: [LocalDevice] {
    tracked.lazy.filter { !$0.isHidden && !$0.isForgotten }.map(\.local)
      + foreign.compactMap { $0?.local }
  }

  /// How many candidates the index holds, by their identifiers and by what iBeacon frames show, and its memory in bytes.
  package var indexCost: (entries: Int, bytes: Int) {
    (index.count + prefixes.count, index.byteCount + prefixes.byteCount)
  }

  /// Follows a LunaTracker whose onboarding has not ended. It is not among ``devices``, and nothing is
  /// told of it; what is known of it is in the device that is returned.
  ///
  /// - Parameter isBeingOnboarded: whether somebody is about to end its onboarding; otherwise it is
  ///   told as a problem when it is heard.
  package func follow(pending device: Device, isBeingOnboarded: Bool = false) -> LocalDevice {
    let known = tracked.first { $0.device.uuid == device.uuid }
    let followed = known ?? add(device, isHidden: true)
    if isBeingOnboarded { followed.isBeingOnboarded = true }
    return followed.local
  }

  /// Follows a LunaTracker that was just onboarded: from now on it is among ``devices``, and what
  /// happens to it is told.
  ///
  /// - Returns: false when it is among them already.
  package func follow(onboarded device: Device) -> Bool {
    let known = tracked.last { $0.device.uuid == device.uuid }
    // One that was forgotten may have got other keys since.
    guard let known, !known.isForgotten || known.device.keys.hasSameIdentity(as: device.keys)
    else {
      _ = add(device, isHidden: false)
      return true
    }
    guard known.isHidden || known.isForgotten else { return false }
    if known.isPresent { recency.remove(Int(known.number)) }
    known.reveal(as: device)
    return true
  }

  /// From now on these are nobody's: they are not among ``devices``, and nothing is told of them.
  package func forget(_ uuids: Set<DeviceUUID>) {
    for device in tracked where uuids.contains(device.device.uuid) { device.isForgotten = true }
  }

  /// Calls devices as their owner does now.
  package func rename(_ names: [DeviceUUID: String]) {
    for device in tracked {
      guard let name = names[device.device.uuid], device.local.name != name else { continue }
      device.local.update { $0.name = name }
    }
  }

  private func add(_ device: Device, isHidden: Bool) -> TrackedDevice {
    let local = LocalDevice(
      LocalDevice.State(uuid: device.uuid, kind: device.keys.kind, name: device.name))
    let added = TrackedDevice(
      number: UInt32(tracked.count), device, local,
      lunaKeys: device.masterKey.map { deriver.schedule.keys(of: $0) }, clock: nil,
      ppm: configuration.ppm, isHidden: isHidden)
    added.statusSharedUntil = sharedStatus[device.uuid]
    tracked.append(added)
    if time != .min { refresh(added) }
    return added
  }

  /// Goes on with clocks that were kept. To be called before the first report.
  package func restore(_ clocks: [DeviceUUID: ClockState]) {
    for device in tracked where device.device.hasClock {
      guard let clock = clocks[device.device.uuid] else { continue }
      device.estimator = ClockEstimator(
        interval: clock.interval, provisional: clock.provisional, ppm: configuration.ppm,
        rotation: device.rotation)
      device.kept = clock.interval
    }
  }

  /// Takes note of whose status was given to others, and until when.
  func mark(sharedStatus: [DeviceUUID: Timestamp]) {
    self.sharedStatus = sharedStatus
    for device in tracked { device.statusSharedUntil = sharedStatus[device.device.uuid] }
  }

  /// The clocks that have changed since this was asked last.
  package func takeClocks() -> [DeviceUUID: ClockState] {
    var states: [DeviceUUID: ClockState] = [:]
    for device in tracked where device.isDirty {
      device.isDirty = false
      // Somebody else may have the uuid now, with other keys.
      guard !device.isForgotten else { continue }
      states[device.device.uuid] = ClockState(device.estimator)
    }
    hasNews = false
    return states
  }

  /// The sightings to be kept since this was asked last: of each device one a minute, and each
  /// identifier.
  package func takeSightings() -> [Sighting] {
    defer { sightings.removeAll(keepingCapacity: true) }
    return sightings
  }

  /// The slow derivations that were made since this was asked last.
  package func takeDerivations() -> [DerivationKey: [UInt8]] { deriver.slow.takeFresh() }

  /// What went wrong since this was asked last, each thing once.
  package func takeProblems() -> [LocalProblem] {
    defer { problems.removeAll() }
    return problems
  }

  func tell(_ problem: LocalProblem) {
    // Seconds differ from time to time; the device and the kind decide.
    let kind: LocalProblem =
      switch problem {
      case .clockDisagrees(let uuid, _): .clockDisagrees(uuid, seconds: 0)
      case .clockBehindRecords: .clockBehindRecords(seconds: 0)
      default: problem
      }
    if toldProblems.insert(kind).inserted { problems.append(problem) }
  }

  private func tellSameKeys() {
    var seen: [UInt64: Int] = [:]
    for (number, device) in tracked.enumerated() {
      let digest = device.device.keys.identitySecret.withBytes { try? SHA256.digest(of: $0) }
      guard let digest else { continue }
      let fingerprint = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(digest[$1]) }
      guard let first = seen.updateValue(number, forKey: fingerprint) else { continue }
      if tracked[first].device.keys.hasSameIdentity(as: device.device.keys) {
        tell(.sameKey(tracked[first].device.uuid, device.device.uuid))
      }
    }
  }

  /// Takes note of the time when nothing is heard: who is silent for too long times out.
  package func advance(to now: Timestamp, into updates: inout [LocalUpdate]) {
    guard judgesSilence else { return }
    // A time that makes no sense is as good as none.
    let limit = Int64(max(0, min(configuration.timeout, 1e9)) * 1_000_000)
    // In the order of time: what is told does not depend on when this is called.
    while true {
      let own = recency.first.map { tracked[$0].lastHeard.microseconds } ?? .max
      let other = foreignRecency.first.flatMap { foreign[$0]?.lastHeard.microseconds } ?? .max
      let earliest = min(own, other)
      guard earliest != .max, now.microseconds &- earliest >= limit else { return }
      if own <= other, let number = recency.first {
        let device = tracked[number]
        recency.remove(number)
        device.isPresent = false
        unknown.searchAgain()
        timeOut(device.local, isTold: !device.isHidden && !device.isForgotten, into: &updates)
      } else if let number = foreignRecency.first, let device = foreign[number] {
        removeForeign(number)
        timeOut(device.local, into: &updates)
      }
    }
  }

  private func timeOut(
    _ local: LocalDevice, isTold: Bool = true, into updates: inout [LocalUpdate]
  ) {
    let state = local.update { state in
      state.timedOut = true
      return state
    }
    guard isTold else { return }
    updates.append(
      LocalUpdate(event: .timedOut, device: local, state: state, expectedAt: nil, drift: nil))
  }

  /// The owner's clock was set while devices were being followed: what was learned since this scan
  /// began is counted from the new time, what was stored before stays.
  ///
  /// - Parameter step: by how much it was set forward, negative for back.
  package func ownerClockStepped(by step: Duration) {
    let microseconds = step.wholeMicroseconds
    let (scaled, overflow) = (microseconds / 1000).multipliedReportingOverflow(
      by: configuration.time.speed)
    let milliseconds = overflow ? (microseconds < 0 ? .min : .max) : scaled
    func moved(_ time: Timestamp) -> Timestamp {
      time == .unknown ? time : Timestamp(microseconds: time.microseconds &+ microseconds)
    }
    for device in tracked {
      device.lastHeard = moved(device.lastHeard)
      device.storedAt = moved(device.storedAt)
      device.aside = nil
      guard device.isClockOwn else { continue }
      device.estimator.ownerClockStepped(by: milliseconds)
      device.isDirty = true
      hasNews = true
    }
    for number in foreign.indices {
      if let lastHeard = foreign[number]?.lastHeard {
        foreign[number]?.lastHeard = moved(lastHeard)
      }
    }
    lastSearches = [.unknown, .unknown]
    cycleStart = nil
    tell(.ownerClockStepped(seconds: microseconds / 1_000_000))
  }
}
