package import Bluetooth
package import LunaCore
import LunaCrypto
import LunaProtocol

/// Keeping the index of candidates up to date.
extension TrackerFollower {
  /// How long it takes to go through all devices once, ms of protocol time. Each is given the
  /// candidates of twice that time.
  static let cycle: Int64 = Period.milliseconds / 4
  /// The most candidates of one device, and of all together; a stored state may say anything.
  private static let candidateLimit = 16_384
  private static let totalLimit = 4_194_304
  /// However many devices there are, each has so many.
  private static let leastCandidates = 16

  /// Brings the index to the present time: a share of the devices, or all of them when the time
  /// jumped.
  func refresh() {
    guard let start = cycleStart, time >= start, time - start < 2 * TrackerFollower.cycle else {
      if cycleStart == nil { checkRecords() }
      prepareIndex()
      refresh(upTo: tracked.count)
      beginCycle()
      return deriveOn(TrackerFollower.firstSlowBudget)
    }
    let elapsed = time - start
    if elapsed >= TrackerFollower.cycle {
      refresh(upTo: tracked.count)
      beginCycle()
    } else {
      refresh(upTo: Int(Int64(tracked.count) * elapsed / TrackerFollower.cycle))
    }
    deriveOn()
  }

  private func beginCycle() {
    cycleStart = time
    refreshed = 0
  }

  private func refresh(upTo end: Int) {
    while refreshed < end {
      refresh(tracked[refreshed])
      refreshed += 1
    }
  }

  /// All at once is faster with room for all; foreign threads help where there are many.
  private func prepareIndex() {
    refreshed = 0
    let many = tracked.filter { $0.lunaKeys != nil }
    let wanted = many.map { wantedPeriods(of: $0, $0.estimator.interval) }
    let total = wanted.reduce(0) { $0 + $1.count }
    guard total > 1024, index.count == 0 else { return }
    index.insert(
      zip(many, wanted).compactMap { device, periods in
        device.lunaKeys.map {
          EIDIndex.Batch(
            device: device.number, identification: $0.identification, periods: periods)
        }
      })
    for (device, periods) in zip(many, wanted) { device.expected = periods }
  }

  private func wantedPeriods(of device: TrackedDevice, _ interval: ClockInterval) -> PeriodRange {
    let ppm = device.estimator.ppm
    let later = time.addingReportingOverflow(2 * TrackerFollower.cycle)
    let here = interval.candidates(at: time, ppm: ppm, rotation: device.rotation)
    let there = interval.candidates(
      at: later.overflow ? .max : later.partialValue, ppm: ppm, rotation: device.rotation)
    // A state whose bounds contradict each other says nothing.
    guard !here.isEmpty, !there.isEmpty else { return .none }
    var (first, last) = (min(here.first, there.first), max(here.last, there.last))
    let limit = UInt32(
      min(
        TrackerFollower.candidateLimit,
        max(TrackerFollower.leastCandidates, TrackerFollower.totalLimit / tracked.count)))
    if last - first >= limit {
      let middle = first + (last - first) / 2
      first = middle - limit / 2
      last = middle + limit / 2
    }
    return PeriodRange(first: first, last: last)
  }

  /// Brings the candidates of one device to the present time.
  func refresh(_ device: TrackedDevice) {
    guard device.device.hasClock else { return addOnly(device) }
    // What is wanted is noted first: what is not may be dropped while the index is added to.
    let held = (device.expected, device.provisional, device.second)
    device.expected = wantedPeriods(of: device, device.estimator.interval)
    add(device, device.expected, besides: held.0)
    device.provisional = .none
    if let track = device.estimator.provisional?.interval ?? device.asideInterval {
      device.provisional = wantedPeriods(of: device, track)
      add(device, device.provisional, besides: held.1)
    }
    if device.device.keys.kind == .appleFindMy, !device.expected.isEmpty {
      // The key of a day is used with primary keys of the day before and the one before that.
      let expected = device.expected
      device.second = PeriodRange(first: expected.first / 96 + 1, last: expected.last / 96 + 2)
      add(device, device.second, besides: held.2, sequence: 1)
    }
    refreshPrefixes(device)
  }

  /// An identifier that never changes is in the index for good; addresses that are resolved are not.
  private func addOnly(_ device: TrackedDevice) {
    guard DerivationChunk.byteCount(device.device.keys) > 0, device.expected.isEmpty else { return }
    device.expected = DerivationChunk.onlyPeriod
    add(device, device.expected)
  }

  private func add(
    _ device: TrackedDevice, _ wanted: PeriodRange, besides held: PeriodRange, sequence: UInt8 = 0
  ) {
    guard wanted != held, !wanted.isEmpty else { return }
    if held.isEmpty || held.first > wanted.last || held.last < wanted.first {
      return add(device, wanted, sequence: sequence)
    }
    if wanted.first < held.first {
      add(device, PeriodRange(first: wanted.first, last: held.first - 1), sequence: sequence)
    }
    if wanted.last > held.last {
      add(device, PeriodRange(first: held.last + 1, last: wanted.last), sequence: sequence)
    }
  }

  func add(_ device: TrackedDevice, _ periods: PeriodRange, sequence: UInt8 = 0) {
    guard DerivationChunk.byteCount(device.device.keys) == 0 else {
      return addSlow(device, periods, sequence: sequence)
    }
    deriver.keys(of: device, periods: periods) { period, key in
      addToIndex(EIDIndex.Entry(key: key, device: device.number, period: period))
    }
  }

  func addToIndex(_ entry: EIDIndex.Entry) {
    if index.isFull { dropStale() }
    index.insert(entry)
  }

  private func dropStale() {
    index.keep { tracked[Int($0.device)].isCandidate($0.period) }
  }

  /// Few periods at a time: a prefix has only 32 bits.
  private func refreshPrefixes(_ device: TrackedDevice) {
    guard device.lunaKeys?.location != nil || device.device.shared != nil,
      1...16 ~= device.expected.count
    else { return }
    let held = device.prefixes
    device.prefixes = device.expected
    for period in device.prefixes.first...device.prefixes.last where !held.contains(period) {
      // Of a share the periods before and after it are not known.
      guard let heid = deriver.heid(of: device, period: period) else { continue }
      if prefixes.isFull { prefixes.keep { tracked[Int($0.device)].prefixes.contains($0.period) } }
      prefixes.insert(
        EIDIndex.Entry(key: heid.high >> 32, device: device.number, period: period))
    }
  }

  /// A clock of ours that is behind what is on record is worth a word.
  private func checkRecords() {
    guard !configuration.isRecording, time != .min else { return }
    let newest = tracked.lazy.filter { !$0.isClockOwn }.map { $0.estimator.interval.time }.max()
    guard let newest, newest > time else { return }
    let (ahead, overflow) = newest.subtractingReportingOverflow(time)
    if overflow || ahead > 60_000 {
      tell(.clockBehindRecords(seconds: (overflow ? .max : ahead) / 1000))
    }
  }

  /// The slow derivations that are likely to be needed at a time, as the store knows them.
  package func wantedDerivations(at now: Timestamp) -> [DerivationKey] {
    let time = configuration.time(now).unixMilliseconds
    var keys: [DerivationKey] = []
    for device in tracked where DerivationChunk.byteCount(device.device.keys) > 0 {
      guard device.device.hasClock else {
        keys.append(DerivationChunk.key(device.device, sequence: 0, period: 0))
        continue
      }
      let search = WideSearch(
        at: time, onboarding: device.device.onboardingTimestamp.unixMilliseconds,
        rotation: device.rotation)
      let candidates = device.estimator.candidates(at: time)
      for sequence in 0..<UInt8(device.device.keys.kind == .appleFindMy ? 2 : 1) {
        let step = sequence == 0 ? 1 : UInt32(96)
        var period = min(search.tier2.first, candidates.first) / step
        let end = max(search.tier2.last, candidates.last) / step + (sequence == 0 ? 0 : 2)
        let last = min(end, DerivationChunk.lastPeriod)
        while period <= last, keys.count < 4096 {
          let key = DerivationChunk.key(device.device, sequence: sequence, period: period)
          keys.append(key)
          period = key.periods.last + 1
        }
      }
    }
    return keys
  }

  /// Takes what the store had of ``wantedDerivations(at:)``.
  package func addDerivations(_ bytes: [UInt8], for key: DerivationKey) {
    guard let device = tracked.first(where: { $0.device.uuid == key.device }) else { return }
    deriver.slow.add(bytes, for: key, of: device.device)
  }
}
