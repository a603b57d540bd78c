import Bluetooth
import Glibc
import LunaCore
import LunaStore
import Testing

@testable import LunaTelemetry

@Suite("The queue of telemetry")
struct TelemetryStoreTests {
  private let place = Workplace()
  private let window = Duration.seconds(5)

  private func record(_ key: String, value: String = "1", count: Int64 = 1) -> TelemetryRecord {
    TelemetryRecord(.item(key: key, value: value), at: place.clocks.clocks.time, count: count)
  }

  @Test("The same key of several processes is counted up within five seconds")
  func merges() async throws {
    try await place.store().append([record("a.b")], within: window)
    place.clocks.pass(.seconds(4))
    try await place.store().append([record("a.b", count: 2)], within: window)
    try await place.store().append([record("a.b", value: "2")], within: window)
    place.clocks.pass(.seconds(1))
    try await place.store().append([record("a.b")], within: window)
    #expect(try await place.store().waiting() == ["a.b=1*3", "a.b=2*1", "a.b=1*1"])
  }

  @Test("What was sent is not counted up any more")
  func sent() async throws {
    let store = place.store()
    try await store.append([record("a.b")], within: window)
    #expect(try await store.waiting() == ["a.b=1*1"])
    try await store.append([record("a.b")], within: window)
    #expect(try await store.waiting() == ["a.b=1*1", "a.b=1*1"])
  }

  @Test("What was sent without an answer goes first, the same")
  func order() async throws {
    let store = place.store()
    for index in 0..<6 { try await store.append([record("a.\(index)")], within: window) }
    let first = try await store.next(2)
    try await store.append([record("b.0")], within: window)
    #expect(try await Array(store.next(4).prefix(2)) == first)
    try await store.settle(TelemetrySettlement(stored: [first[0].id]))
    #expect(try await store.next(1) == [first[1]])
  }

  @Test("Appearances go first when it is full, then the oldest; what was sent stays")
  func full() async throws {
    let store = place.store { $0.items = 6 }
    try await store.append([record("sent.0")], within: window)
    _ = try await store.next(1)
    for key in ["a.0", "x.appear", "a.1", "x.disappear", "a.2"] {
      try await store.append([record(key)], within: window)
    }
    try await store.append((3...6).map { record("a.\($0)") }, within: window)
    let keys = try await store.waiting().map { String($0.prefix { $0 != "=" }) }
    #expect(keys == ["sent.0", "a.2", "a.3", "a.4", "a.5", "a.6"])
    let status = try await store.status()
    #expect(status.losses["full"]?.count == 4)
    #expect(status.waiting == 6)
  }

  @Test("Bytes are limited, too")
  func bytes() async throws {
    let store = place.store { $0.bytes = 20_000 }
    for index in 0..<300 {
      try await store.append([record("a.\(index)")], within: window)
    }
    let status = try await store.status()
    #expect(status.bytes <= 20_000 && status.bytes > 15_000)
    #expect(status.waiting + (status.losses["full"]?.count ?? 0) == 300)
  }

  @Test("What is too old goes, and is counted")
  func prunes() async throws {
    let store = place.store()
    try await store.append([record("a.old")], within: window)
    place.clocks.pass(.seconds(8 * 86_400))
    try await store.append([record("a.new")], within: window)
    try await store.prune(olderThan: .seconds(7 * 86_400))
    #expect(try await store.waiting() == ["a.new=1*1"])
    #expect(try await store.status().losses["expired"]?.count == 1)
  }

  @Test("What the backend does not want is set aside, the last thousand")
  func aside() async throws {
    let store = place.store { $0.aside = 2 }
    for index in 0..<3 { try await store.append([record("a.\(index)")], within: window) }
    let entries = try await store.next(3)
    try await store.settle(
      TelemetrySettlement(refused: Dictionary(uniqueKeysWithValues: entries.map { ($0.id, "key") }))
    )
    let status = try await store.status()
    #expect(status.waiting == 0)
    #expect(status.setAside == ["key": 2])
    #expect(status.losses["rejected"]?.count == 1)
  }

  @Test("Before the clock is set things are dated by the start of the machine")
  func undated() async throws {
    let store = place.store()
    place.clocks.set(Timestamp(seconds: 100))
    try await store.append([record("a.first")], within: window)
    place.clocks.pass(.seconds(3))
    try await store.append([record("a.first")], within: window)
    #expect(try await store.next(10).isEmpty)
    place.clocks.pass(.seconds(57))
    let now = Timestamp(seconds: 1_790_000_000)
    place.clocks.set(now)
    let entries = try await store.next(10)
    guard case .item(let item)? = entries.first?.content, entries.count == 1 else {
      Issue.record("there is not one item")
      return
    }
    #expect(item.count == 2)
    #expect(item.time == Timestamp(seconds: 1_790_000_000 - 60))
  }

  @Test("What an earlier start of the machine left without a time is of now")
  func undatedBefore() async throws {
    let store = place.store()
    place.clocks.set(Timestamp(seconds: 100))
    try await store.append([record("a.b")], within: window)
    place.clocks.restart()
    place.clocks.set(Timestamp(seconds: 1_790_000_000))
    guard case .item(let item)? = try await store.next(1).first?.content else {
      Issue.record("there is no item")
      return
    }
    #expect(item.time == Timestamp(seconds: 1_790_000_000))
  }

  @Test("What comes from the future, since the clock was wrong, is of now")
  func future() async throws {
    let store = place.store()
    let now = place.clocks.now
    place.clocks.pass(.seconds(365 * 86_400))
    try await store.append([record("a.b")], within: window)
    place.clocks.set(now)
    guard case .item(let item)? = try await store.next(1).first?.content else {
      Issue.record("there is no item")
      return
    }
    #expect(item.time == now)
  }

  @Test("One process sends at a time")
  func turns() async throws {
    let (first, second) = (place.store(), place.store())
    try await first.append([record("a.b")], within: window)
    #expect(try await first.beginTurn(within: .zero))
    #expect(try await second.beginTurn(within: .zero) == false)
    await first.endTurn()
    #expect(try await second.beginTurn(within: .zero))
    await second.endTurn()
  }

  @Test("Nothing is made where nothing is recorded")
  func lazy() async throws {
    let store = place.store()
    try await store.prune(olderThan: .seconds(1))
    #expect(try await store.next(10).isEmpty)
    #expect(try await store.status() == TelemetryQueueStatus())
    #expect(try SQLiteTelemetryStore.status(in: place.directory) == nil)
  }

  @Test("A file that somebody deletes is made anew")
  func deleted() async throws {
    let store = place.store()
    try await store.append([record("a.old")], within: window)
    for name in ["", "-wal", "-shm"] { unlink("\(store.path)\(name)") }
    try await store.append([record("a.new")], within: window)
    #expect(try await place.store().waiting() == ["a.new=1*1"])
  }

  @Test("A file that somebody has cut is put aside, and what waited in it is counted")
  func damaged() async throws {
    let store = place.store()
    for index in 0..<40 { try await store.append([record("a.\(index)")], within: window) }
    let log = store.path + "-wal"
    var status = stat()
    #expect(stat(log, &status) == 0 && status.st_size > 0)
    #expect(truncate(log, status.st_size / 2) == 0)
    // The clock of files is too coarse for a test in a hurry.
    let later = [timespec(), timespec(tv_sec: time(nil) + 2, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, log, later, 0) == 0)
    try await store.append([record("a.new")], within: window)
    let told = try await store.status()
    #expect(told.losses["storage"]?.count == 40)
    #expect(told.problem?.hasSuffix("telemetry.data.damaged-1 now") == true)
    #expect(access(store.path + ".damaged-1", F_OK) == 0)
    #expect(try await store.waiting() == ["a.new=1*1"])
    // Once is enough.
    try await store.append([record("b.new")], within: window)
    #expect(access(store.path + ".damaged-2", F_OK) != 0)
  }

  @Test("A file that is none of telemetry's any more is put aside before it is used")
  func noise() async throws {
    let path = place.path + "/" + SQLiteTelemetryStore.fileName
    let file = try #require(fopen(path, "w"))
    for _ in 0..<100 { #expect(fputs("this is no database", file) >= 0) }
    fclose(file)
    let store = place.store()
    try await store.append([record("a.new")], within: window)
    #expect(try await store.waiting() == ["a.new=1*1"])
    #expect(access(path + ".damaged-1", F_OK) == 0)
  }

  @Test("Samples are kept as they are")
  func samples() async throws {
    let store = place.store()
    var health = HealthReport()
    health.version = "1.2"
    health.families = ["tile": 3]
    health.adapters = [AdapterHealth(id: "hci0", state: .scanning, packetsPerSecond: 12.5)]
    health.clockOffsetMilliseconds = -70
    health.throttled = false
    try await store.append(
      [TelemetryRecord(.sample(health), at: place.clocks.clocks.time)], within: window)
    let entry = try await store.next(1).first
    #expect(entry?.content == .sample(HealthSample(time: place.clocks.now, health: health)))
  }
}
