import Bluetooth
import LunaCore
import LunaTesting
import SystemBus
import Testing

@testable import LunaLocation

/// GeoClue as a script.
private final class ScriptedBus: GeoClueBus {
  struct State: Sendable {
    var calls: [String] = []
    var properties: [String: BusValue] = [:]
    var onLocation: (@Sendable (String) -> Void)?
    var onLoss: (@Sendable () -> Void)?
    var failure: BusError?
    /// Whether somebody is asked before it starts, who does not answer.
    var isAsking = false
    var locations: [String: BusValue] = [:]
  }

  let state = Watched(State())

  func open(
    onLocation: @escaping @Sendable (String) -> Void, onLoss: @escaping @Sendable () -> Void
  ) async throws(BusError) {
    let failure = state.withLock { state in
      state.calls.append("open")
      state.onLocation = onLocation
      state.onLoss = onLoss
      return state.failure
    }
    if let failure { throw failure }
  }

  func call(
    _ path: String, _ interface: String, _ method: String
  ) async throws(BusError) -> [BusValue] {
    let isAsking = state.withLock { state in
      state.calls.append("\(method) \(path)")
      return state.isAsking && method == "Start"
    }
    if isAsking {
      // Only the end of the connection ends that, and not that of who called.
      _ = await Task { [state] in try? await state.until { $0.calls.contains("close") } }.value
      throw BusError(name: BusError.disconnected, message: "", operation: method)
    }
    return method == "GetClient" ? [.objectPath("/client/1")] : []
  }

  func set(
    _ name: String, of interface: String, at path: String, to value: BusValue
  ) async throws(BusError) {
    state.withLock {
      $0.calls.append("set \(name)")
      $0.properties[name] = value
    }
  }

  func properties(of interface: String, at path: String) async throws(BusError) -> BusValue {
    guard let value = state.withLock({ $0.locations[path] }) else {
      throw BusError(name: BusError.unknownObject, message: path, operation: "GetAll")
    }
    return value
  }

  func close() async { state.withLock { $0.calls.append("close") } }

  /// Waits until it was started so often.
  func wasStarted(times: Int = 1) async throws {
    try await state.until { $0.calls.count { $0.hasPrefix("Start") } >= times }
  }

  func tell(_ path: String, _ value: BusValue) {
    let handler = state.withLock { state in
      state.locations[path] = value
      return state.onLocation
    }
    handler?(path)
  }
}

@Suite(.timeLimit(.minutes(10))) struct GeoClueLocationTests {
  private static func location(
    _ latitude: Double, accuracy: Double = 30, at time: Timestamp? = WallClock.system.now()
  ) -> BusValue {
    var entries: [BusValue.BusEntry] = []
    func add(_ name: String, _ value: BusValue) {
      entries.append(BusValue.BusEntry(.string(name), .variant(value)))
    }
    add("Latitude", .double(latitude))
    add("Longitude", .double(13))
    add("Accuracy", .double(accuracy))
    add("Altitude", .double(-.greatestFiniteMagnitude))
    add("Speed", .double(-1))
    add("Heading", .double(-1))
    if let time {
      add(
        "Timestamp",
        .structure([
          .uint64(UInt64(time.microseconds / 1_000_000)),
          .uint64(UInt64(time.microseconds % 1_000_000)),
        ]))
    }
    return .dictionary(entries)
  }

  private func started(
    _ bus: ScriptedBus, accuracy: Double? = nil, clock: WallClock = .system
  ) async throws -> GeoClueLocation {
    let location = GeoClueLocation(bus: bus, accuracy: accuracy, clock: clock)
    await location.start()
    try await bus.wasStarted()
    return location
  }

  @Test func introducesItselfBeforeItStarts() async throws {
    let bus = ScriptedBus()
    let location = try await started(bus, accuracy: 500)
    #expect(
      bus.state.withLock { $0.calls } == [
        "open", "GetClient /org/freedesktop/GeoClue2/Manager", "set DesktopId",
        "set DistanceThreshold", "set RequestedAccuracyLevel", "Start /client/1",
      ])
    #expect(
      bus.state.withLock { $0.properties } == [
        "DesktopId": .string("luna"), "DistanceThreshold": .uint32(0),
        "RequestedAccuracyLevel": .uint32(6),
      ])
    await location.stop()
    let calls = bus.state.withLock { $0.calls }
    #expect(calls.contains("Stop /client/1"))
    #expect(calls.last == "close")
  }

  /// A person is asked, who is away.
  @Test func endsBeforeItIsAllowed() async throws {
    let bus = ScriptedBus()
    bus.state.withLock { $0.isAsking = true }
    let location = try await started(bus)
    await location.stop()
    #expect(bus.state.withLock { $0.calls.last } == "close")
  }

  @Test func tellsPositions() async throws {
    let bus = ScriptedBus()
    let location = try await started(bus)
    var updates = location.updates.makeAsyncIterator()
    bus.tell("/location/1", GeoClueLocationTests.location(52))
    guard case .fix(let fix)? = await updates.next() else {
      Issue.record("no fix")
      return
    }
    #expect(fix.latitude == 52)
    #expect(fix.horizontalAccuracy == 30)
    #expect(fix.altitude == nil)
    #expect(fix.speed == nil)
    #expect(fix.course == nil)
    await location.stop()
  }

  @Test func judgesPositions() async throws {
    let bus = ScriptedBus()
    let location = try await started(bus)
    var updates = location.updates.makeAsyncIterator()
    let now = WallClock.system.now().microseconds
    bus.tell(
      "/1", GeoClueLocationTests.location(52, at: Timestamp(microseconds: now - 31_000_000)))
    #expect(await updates.next() == .refused(.stale))
    bus.tell(
      "/2", GeoClueLocationTests.location(52, at: Timestamp(microseconds: now + 60_000_000)))
    #expect(await updates.next() == .refused(.impossibleDate))
    bus.tell("/3", GeoClueLocationTests.location(52, at: nil))
    #expect(await updates.next() == .refused(.impossibleDate))
    bus.tell("/4", GeoClueLocationTests.location(92))
    #expect(await updates.next() == .refused(.impossiblePosition))
    bus.tell("/5", .dictionary([]))
    #expect(await updates.next() == .refused(.impossiblePosition))
    await location.stop()
  }

  @Test func startsAnewWhenGeoClueDoes() async throws {
    let bus = ScriptedBus()
    let clock = WallClock(
      now: WallClock.system.now, elapsed: WallClock.system.elapsed,
      sleep: { try await Task.sleep(for: $0 == GeoClueLocation.pause ? .milliseconds(10) : $0) })
    let location = try await started(bus, clock: clock)
    var updates = location.updates.makeAsyncIterator()
    bus.state.withLock { $0.onLoss }?()
    guard case .unavailable? = await updates.next() else {
      Issue.record("its end was not told")
      return
    }
    try await bus.wasStarted(times: 2)
    bus.tell("/location/2", GeoClueLocationTests.location(53))
    guard case .fix(let fix)? = await updates.next() else {
      Issue.record("no fix")
      return
    }
    #expect(fix.latitude == 53)
    await location.stop()
  }

  @Test func asksAnewBeforeAPositionGrowsOld() async throws {
    let bus = ScriptedBus()
    let clock = WallClock(
      now: WallClock.system.now, elapsed: WallClock.system.elapsed,
      sleep: { try await Task.sleep(for: $0 == GeoClueLocation.interval ? .milliseconds(30) : $0) })
    let location = try await started(bus, clock: clock)
    try await bus.wasStarted(times: 3)
    #expect(bus.state.withLock { $0.calls.contains("Stop /client/1") })
    await location.stop()
  }

  @Test(arguments: [
    (BusError.serviceUnknown, "geoclue-2.0"), (BusError.accessDenied, "geoclue.conf"),
  ])
  func saysWhatToDo(_ name: String, _ hint: String) async throws {
    let bus = ScriptedBus()
    bus.state.withLock { $0.failure = BusError(name: name, message: "", operation: "GetClient") }
    let location = GeoClueLocation(bus: bus, accuracy: nil, clock: .system)
    await location.start()
    var updates = location.updates.makeAsyncIterator()
    guard case .unavailable(let reason)? = await updates.next() else {
      Issue.record("nothing told")
      return
    }
    #expect(reason.contains(hint))
    await location.stop()
  }

  @Test(arguments: [(nil, 8), (50.0, 8), (100, 6), (999, 6), (1000, 5), (5000, 4)])
  func asksForTheWantedAccuracy(_ metres: Double?, _ level: UInt32) {
    #expect(GeoClueLocation.level(metres) == level)
  }
}
