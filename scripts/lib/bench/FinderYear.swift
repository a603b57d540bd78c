import Bluetooth
import Glibc
import LunaCore
import LunaFinder
import LunaProtocol
import LunaStore
import Synchronization

/// A year of a gateway, from one leap day to the next first of March: five trackers of others are
/// heard in every period, the gateway is started anew every month, its clock is set wrong and right
/// again, its disk is full for two days, and its backend is gone for a day, a week and two months, the
/// last for longer than the queue holds. Every event is uploaded once, or counted as dropped.
enum FinderYear {
  private static let trackers = 5
  private static let days = 367
  private static let queueLimit = 20_000
  /// 2028-02-29 00:00:00 UTC.
  private static let start = Timestamp(unixMilliseconds: 1_835_395_200_000)
  private static let step = Duration.seconds(1024)
  private static let timelessDay = 80

  /// The days without a backend.
  private static let outages = [20..<21, 100..<107, 200..<261]

  /// - Returns: what went wrong.
  static func run() async throws -> [String] {
    try await simulate { try await $0.run(days: days) }
  }

  /// Ten days in which the backend is gone for a week from the second on, as a row of the table of recoveries
  /// (`Tests/integration/recovery.py`).
  ///
  /// - Returns: what went wrong.
  static func week() async throws -> [String] {
    try await simulate { try await $0.week() }
  }

  private static func simulate(
    _ body: (Year) async throws -> [String]
  ) async throws -> [String] {
    signal(SIGXFSZ, SIG_IGN)
    let folder = "\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/luna-year.\(getpid())"
    mkdir(folder, 0o700)
    defer {
      for name in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/queue.data\(name)") }
      rmdir(folder)
    }
    return try await body(try Year(StateDirectory(path: folder), YearClock(start: start)))
  }

  /// The run, and what it has seen.
  private final class Year: Sendable {
    struct State {
      var source: YearSource?
      var stored: Set<UInt64> = []
      var isGone = false
      var found = 0
      var dropped: [String: Int] = [:]
      /// How many events were in the queue after the last upload; nil when more were found since.
      var waiting: Int?
      /// How many uploads the backend took.
      var uploads = 0
    }

    let clock: YearClock
    let directory: StateDirectory
    let state = Mutex(State())
    let finder = Mutex<LunaFinder?>(nil)
    let keys: [MasterKey]

    init(_ directory: StateDirectory, _ clock: YearClock) throws {
      self.clock = clock
      self.directory = directory
      var generator = SeededGenerator(state: 2028)
      keys = (0..<FinderYear.trackers).map { _ in
        MasterKey(bytes: InlineArray { _ in UInt8(truncatingIfNeeded: generator.next() >> 24) })
      }
      state.withLock { $0.stored.reserveCapacity(300_000) }
    }

    private var parts: FinderParts {
      var parts = FinderParts(
        makeRadio: { [self] _ in
          let source = YearSource()
          state.withLock { $0.source = source }
          return FinderRadio(source: source)
        }, makeLocation: { _ in YearPlace() },
        openQueue: { [directory] configuration in
          try SQLiteEventQueue(
            in: directory, fileName: "queue.data", limit: configuration.queueLimit)
        }, makeUploader: { [self] _ in YearBackend(year: self) })
      parts.clock = clock.clock
      return parts
    }

    private var configuration: LunaConfiguration {
      var configuration = LunaConfiguration(logger: Silence())
      configuration.duty = FinderDuty.full
      configuration.queueLimit = FinderYear.queueLimit
      return configuration
    }

    func run(days: Int) async throws -> [String] {
      try await unlessStuck {
        let (heard, sizes, recoveries) = try await live(days: days, become: become)
        return judge(heard, sizes, recoveries)
      }
    }

    func week() async throws -> [String] {
      try await unlessStuck {
        var waited = 0
        let (heard, _, recoveries) = try await live(days: 10) { day in
          let isGone = (1..<8).contains(day)
          self.state.withLock { state in
            if state.isGone, !isGone { waited = state.found - state.stored.count }
            state.isGone = isGone
          }
        }
        let state = state.withLock(\.self)
        let took = (recoveries.first ?? .zero) / .milliseconds(1)
        print(
          "recovered | gateway: its backend gone for a week | at the next upload | "
            + "\((took / 100).rounded() / 10) | \(waited) events waited |"
        )
        var problems: [String] = []
        let perDay = FinderYear.trackers * 86_400 / 1024
        if waited < 7 * (perDay - FinderYear.trackers) {
          problems.append("\(waited) events waited")
        }
        if heard != state.found || state.found != state.stored.count || !state.dropped.isEmpty {
          problems.append(
            "\(heard) sightings: \(state.found) queued, \(state.stored.count) stored, "
              + "\(state.dropped) dropped")
        }
        return problems
      }
    }

    private func unlessStuck(_ body: () async throws -> [String]) async throws -> [String] {
      do {
        return try await body()
      } catch let error as Stuck {
        return ["it did not go on after \(error.after): \(error.what)"]
      }
    }

    /// Nothing comes of going on.
    private struct Stuck: Error {
      let after: Duration
      let what: String
    }

    /// - Parameter become: brings the troubles of a day.
    /// - Returns: how many sightings there were, the memory at the beginning of each month, and how long
    ///   it took after each outage until the backend had something.
    private func live(
      days: Int, become: (_ day: Int) -> Void
    ) async throws -> (heard: Int, sizes: [Double], recoveries: [Duration]) {
      var frames = try CrowdFrames()
      let end = Duration.seconds(days * 86_400)
      var time = Duration.zero
      var heard = 0
      var month = -1
      var updates = try await restart(before: nil)
      var sizes: [Double] = []
      var recoveries: [Duration] = []
      while time < end {
        time += FinderYear.step
        let day = Int(time.components.seconds / 86_400)
        if day / 30 != month {
          if month >= 0 { updates = try await restart(before: updates) }
          month = day / 30
          sizes.append(residentMemory())
        }
        let wasGone = state.withLock(\.isGone)
        become(day)
        if wasGone, !state.withLock(\.isGone) { recoveries.append(try await recovery()) }
        await pass(to: time)
        // The time on the air is that of the world, whatever the gateway believes.
        let period = Period.number(
          at: (clock.start.microseconds / 1000) + Int64(time / .milliseconds(1)))
        let reports = keys.enumerated().map { number, key in
          AdvertisingReport(
            time: clock.now, adapter: 0,
            address: BluetoothAddress(
              value: 0xC000_0000_0000 | UInt64(number) << 32 | UInt64(period)),
            addressType: .random, payload: AdvertisingPayload(frames.frame(key, period)),
            rssi: Int8(-60 - number))
        }
        heard += reports.count
        let source = state.withLock(\.source)
        source?.hear(reports)
        try await settle("what is heard is not taken") { source?.isDrained == true }
        // While nobody knows the time they are held.
        if day != FinderYear.timelessDay {
          try await settle("sightings are neither queued nor lost") { self.answered >= heard }
        }
      }
      clock.step(error: .zero)
      try await settle("the queue is not emptied") {
        self.clock.advance(to: self.clock.elapsed + .seconds(1))
        return self.state.withLock(\.waiting) == 0
      }
      try await stop(updates)
      return (heard, sizes, recoveries)
    }

    /// How long it takes until the backend, which is there again, has something.
    private func recovery() async throws -> Duration {
      let (back, uploads) = (clock.elapsed, state.withLock(\.uploads))
      var last = ContinuousClock.now
      try await settle("nothing is uploaded to the backend that is there again") {
        if self.state.withLock({ $0.uploads > uploads }) { return true }
        // What waited for the time has to run: where the machine is busy this is more than it would be.
        if ContinuousClock.now - last > .milliseconds(1) {
          last = .now
          self.clock.advance(to: self.clock.elapsed + .seconds(1))
        }
        return false
      }
      return clock.elapsed - back
    }

    /// The troubles of a day.
    private func become(_ day: Int) {
      clock.step(error: Self.error(of: day))
      let isGone = FinderYear.outages.contains { $0.contains(day) }
      state.withLock { $0.isGone = isGone }
      var limit = rlimit(rlim_cur: .max, rlim_max: .max)
      // Not a byte goes into any file.
      if (150..<152).contains(day) { limit.rlim_cur = 1 }
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    /// By how much the time of day is wrong.
    private static func error(of day: Int) -> Duration {
      switch day {
      case 40: .seconds(3 * 3600)
      case 41..<43: .seconds(-26 * 3600)
      // A clock without a battery begins in 1970.
      case FinderYear.timelessDay: .seconds(-1_835_395_200 - day * 86_400)
      default: .zero
      }
    }

    /// Lets time pass in pieces, as what waits for it has to be given the time to run.
    private func pass(to time: Duration) async {
      while clock.elapsed < time {
        clock.advance(to: min(time, clock.elapsed + .seconds(256)))
        for _ in 0..<4 { await Task.yield() }
      }
    }

    /// Waits until something is so.
    private func settle(_ problem: String, _ condition: () -> Bool) async throws {
      let begin = ContinuousClock.now
      var turns = 0
      while !condition() {
        turns += 1
        guard turns.isMultiple(of: 64) else {
          await Task.yield()
          continue
        }
        try await Task.sleep(for: .microseconds(200))
        // Only for what would never end.
        if ContinuousClock.now - begin > .seconds(60) {
          throw Stuck(after: clock.elapsed, what: problem)
        }
      }
    }

    /// How many sightings are known to be queued, or lost.
    private var answered: Int {
      state.withLock {
        $0.found + $0.dropped.filter { $0.key != DropReason.queueFull }.values.reduce(0, +)
      }
    }

    private func restart(before: Task<Void, Never>?) async throws -> Task<Void, Never> {
      if let before { try await stop(before) }
      let finder = LunaFinder(parts: parts)
      let updates = finder.updates
      self.finder.withLock { $0 = finder }
      let task = Task { [self] in
        for await update in updates { take(update) }
      }
      finder.startMonitoring(configuration: configuration)
      try await settle("it does not begin") {
        self.state.withLock { $0.source?.isStarted == true }
      }
      return task
    }

    private func stop(_ updates: Task<Void, Never>) async throws {
      let finder = finder.withLock(\.self)
      let isOver = Mutex(false)
      let ending = Task {
        await finder?.finish()
        isOver.withLock { $0 = true }
      }
      try await settle("it does not end") {
        self.clock.advance(to: self.clock.elapsed + .milliseconds(100))
        return isOver.withLock(\.self)
      }
      await ending.value
      state.withLock { $0.source = nil }
      // It ends with the monitoring.
      await updates.value
    }

    private func take(_ update: FinderUpdate) {
      state.withLock { state in
        switch update {
        case .found:
          state.found += 1
          state.waiting = nil
        case .dropped(let reason, let count): state.dropped[reason, default: 0] += count
        case .uploaded(let summary):
          state.waiting = summary.waiting
          state.uploads += 1
        case .ended, .listening, .state, .recovery, .queueRenewed, .entered, .exited, .located,
          .unlocated, .uploadFailed, .commandStarted, .commandEnded, .confirmed, .problem:
          break
        }
      }
    }

    private func judge(_ heard: Int, _ sizes: [Double], _ recoveries: [Duration]) -> [String] {
      let state = state.withLock(\.self)
      var problems = recoveries.isEmpty ? ["the backend was never gone"] : []
      let full = state.dropped[DropReason.queueFull] ?? 0
      let others = state.dropped.filter { $0.key != DropReason.queueFull }
      let lost = others.values.reduce(0, +)
      if heard != state.found + lost {
        problems.append("\(heard) sightings: \(state.found) queued, \(lost) counted as lost")
      }
      // What was dropped from a full queue may have been on its way just then: a batch at most.
      let missing = state.found - full - state.stored.count
      if !(-LunaConfiguration().maximumCacheSize...0).contains(missing) {
        problems.append(
          "\(state.found) events: \(state.stored.count) stored, \(full) dropped from the queue")
      }
      // Two days of a full disk, and of the two months what is more than the queue holds.
      let perDay = FinderYear.trackers * 86_400 / 1024
      if lost > 3 * perDay { problems.append("\(others) sightings were lost") }
      if full == 0 || full > 61 * perDay - FinderYear.queueLimit + 2 * perDay {
        problems.append("\(full) events were dropped from the queue")
      }
      var file = stat()
      stat("\(directory.path)/queue.data", &file)
      if file.st_size > 1 << 20 { problems.append("the queue is \(file.st_size) bytes large") }
      if let first = sizes.dropFirst().first, let last = sizes.last, last > first + 4 {
        problems.append("its memory grew from \(first) to \(last) MiB")
      }
      print(
        "a year of luna finder: \(heard) sightings, \(state.stored.count) events stored, "
          + "\(full) dropped from the queue, lost otherwise \(others), "
          + "\(Int((sizes.last ?? 0) - (sizes.dropFirst().first ?? 0))) MiB more")
      return problems
    }
  }

  /// What a year has to say is counted.
  private struct Silence: Logger {
    let level = LogLevel.ERROR
    func write(_ level: LogLevel, _ message: String) {}
  }

  /// Delivers what the year brings.
  private final class YearSource: AdvertisementSource {
    let description = SourceDescription(name: "year", simulated: true, explanation: "a year")
    let states = AsyncStream<SourceState> { $0.finish() }
    let counters = SourceCounters()
    private let batches: AsyncStream<[AdvertisingReport]>
    private let continuation: AsyncStream<[AdvertisingReport]>.Continuation
    private let wasStarted = Mutex(false)
    /// How many batches were brought, and how many were asked for.
    private let turns = Mutex((heard: 0, asked: 0))

    init() { (batches, continuation) = AsyncStream.makeStream() }

    var isStarted: Bool { wasStarted.withLock(\.self) }
    /// Whether all that was heard is dealt with: more was asked for.
    var isDrained: Bool { turns.withLock { $0.asked > $0.heard } }

    func start() async throws(SourceError) { wasStarted.withLock { $0 = true } }
    func pause() async {}
    func resume() async {}
    func stop() async { continuation.finish() }

    func hear(_ reports: [AdvertisingReport]) {
      turns.withLock { $0.heard += 1 }
      continuation.yield(reports)
    }

    func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
      turns.withLock { $0.asked += 1 }
      for await batch in batches { return batch }
      return nil
    }
  }

  /// A place that does not move.
  private final class YearPlace: LocationSource {
    let description = "here"
    let updates: AsyncStream<LocationUpdate>
    private let continuation: AsyncStream<LocationUpdate>.Continuation

    init() { (updates, continuation) = AsyncStream.makeStream() }

    func start() async { continuation.yield(.fix(LocationFix(latitude: 52, longitude: 13))) }
    func stop() async { continuation.finish() }
  }

  /// Keeps what it gets, once.
  private struct YearBackend: EventUploader {
    let year: Year

    func upload(_ batch: EventBatch) async throws(BackendError) -> UploadReply {
      let outcomes: [EventOutcome]? = year.state.withLock { state in
        if state.isGone { return nil }
        return batch.events.map { event in
          state.stored.insert(event.heid.high ^ event.heid.low).inserted ? .accepted : .duplicate
        }
      }
      guard let outcomes else {
        throw BackendError(.unreachable, "the backend does not answer")
      }
      return UploadReply(outcomes: outcomes, commandRequests: [])
    }

    func confirm(_ confirmation: CommandConfirmation) async throws(BackendError) {}
  }
}
