import Bluetooth
import LunaCore
import LunaTesting
import Synchronization
import Testing

@testable import LunaLocation

@Suite(.timeLimit(.minutes(10))) struct GPSDLocationTests {
  /// A clock whose pauses are short.
  private let clock = WallClock(
    now: WallClock.system.now, elapsed: WallClock.system.elapsed,
    sleep: { try await Task.sleep(for: min($0, .milliseconds(20))) })

  private static func tpv(_ latitude: Double) -> String {
    let time = WallClock.system.now().rfc3339
    return #"{"class":"TPV","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":13,"eph":4}"#
  }

  @Test func tellsPositionsAndPicksUpARestartedGpsd() async throws {
    let first = try FakeGPSD(port: freePort()) {
      [GPSDLocationTests.tpv(50), GPSDLocationTests.tpv(51)]
    }
    let location = GPSDLocation(host: "127.0.0.1", port: first.port, clock: clock)
    await location.start()
    var updates = location.updates.makeAsyncIterator()
    for latitude in [50.0, 51] {
      guard case .fix(let fix)? = await updates.next() else {
        Issue.record("no fix")
        return
      }
      #expect(fix.latitude == latitude)
      #expect(fix.horizontalAccuracy == 4)
    }
    first.stop()
    guard case .unavailable? = await updates.next() else {
      Issue.record("its end was not told")
      return
    }
    let second = try FakeGPSD(port: first.port) { [GPSDLocationTests.tpv(52)] }
    var found: LocationFix?
    while found == nil, let update = await updates.next() {
      if case .fix(let fix) = update { found = fix }
    }
    #expect(found?.latitude == 52)
    await location.stop()
    while let update = await updates.next() { if case .fix = update { continue } }
    second.stop()
  }

  @Test func saysThatNobodyListens() async throws {
    let closed = ClosedPort()
    let location = GPSDLocation(host: "127.0.0.1", port: closed.number, clock: clock)
    await location.start()
    var updates = location.updates.makeAsyncIterator()
    guard case .unavailable(let reason)? = await updates.next() else {
      Issue.record("nothing told")
      return
    }
    #expect(reason.contains("cannot connect to gpsd at 127.0.0.1:\(closed.number)"))
    #expect(reason.hasSuffix("start it, or use static:LAT,LON"))
    await location.stop()
  }

  @Test func stopsWhileItHasAlwaysMoreToRead() async throws {
    let talker = try FakeGPSD(flood: 1 << 30) { [] }
    let location = GPSDLocation(host: "127.0.0.1", port: talker.port, clock: .system)
    await location.start()
    try await talker.watches.until { $0 > 0 }
    try await waitUntil { talker.flood.withLock { $0 < 1 << 30 } }
    await location.stop()
    #expect(talker.flood.withLock { $0 > 0 })
    talker.stop()
  }

  @Test func stopsWhileItWaits() async throws {
    let silent = try FakeGPSD { [] }
    let location = GPSDLocation(host: "127.0.0.1", port: silent.port, clock: .system)
    await location.start()
    try await silent.watches.until { $0 > 0 }
    let began = ContinuousClock.now
    await location.stop()
    // It would wait for the next line for 30 s.
    #expect(began.duration(to: .now) < GPSDLocation.patience - .seconds(5))
    silent.stop()
  }

  @Test func aFixedPlaceIsToldOnce() async {
    let location = StaticLocation(
      LocationFix(
        latitude: 1, longitude: 2, measuredAt: Timestamp(microseconds: 1_000_000)))
    await location.start()
    await location.stop()
    var all: [LocationUpdate] = []
    for await update in location.updates { all.append(update) }
    #expect(all == [.fix(LocationFix(latitude: 1, longitude: 2))])
  }
}
