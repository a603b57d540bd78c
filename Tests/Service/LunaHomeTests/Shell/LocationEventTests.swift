import Bluetooth
import LunaCore
import LunaJSON
import LunaStore
import LunaTesting
import Testing

@testable import LunaHome

/// Where trackers are: told when it is another place, and kept.
@Suite(.timeLimit(.minutes(10))) struct LocationEventTests {
  private static let file = """
    {"trackers": [{"id": "b", "match": "rssi > 100", "model": "m"}],
      "devices": [{"class": "Device", "oemModel": "m", "managedProperties": [{"name": "location"}]}]}
    """

  private let clock = SteppedClock(at: WallClock.system.now())

  private func fix(_ latitude: Double, at time: Int64, _ report: String) -> HomeInput {
    .fix(
      tracker: "b",
      Fix(latitude: latitude, longitude: 13.4, accuracy: 30, time: time, report: report))
  }

  private static func latitude(of change: HomeChange) -> Double? {
    guard case .value("b", let value) = change.event, value.name == "location",
      case .object(let location) = value.value, case .real(let latitude)? = location["latitude"]
    else { return nil }
    return latitude
  }

  @Test func anotherPlaceIsToldAndKept() async throws {
    let bench = try ShellBench(Self.file, clock: clock.clock)
    try await bench.home.start()
    let before = await bench.home.snapshot().revision
    let time = clock.clock.now().microseconds
    // Five metres are none, twenty are; what others report is kept where it comes in.
    for (number, latitude) in [52.5, 52.500_045, 52.500_18, 52.500_36].enumerated() {
      let report = number == 3 ? "other" : "box-\(number)"
      await bench.home.take([fix(latitude, at: time + Int64(number) * 1_000_000, report)])
      clock.pass(.seconds(1))
    }
    let changes = try #require(await bench.home.changes(after: before))
    let told = changes.compactMap(Self.latitude)
    #expect(told == [52.5, 52.500_18, 52.500_36])
    await bench.home.stop()
    let next = try ShellBench(Self.file, in: bench)
    try await next.home.start()
    let track = try await next.home.track(of: "b", from: 0, to: .max)
    #expect(track.map(\.latitude) == [52.5, 52.500_18])
    #expect(track.allSatisfy { $0.source == "box" })
    await next.home.stop()
  }

  @Test func aModelSaysWhatIsAnotherPlace() async throws {
    let text = Self.file.replacing("\"location\"", with: "\"location\", \"minChange\": 100")
    let bench = try ShellBench(text, clock: clock.clock)
    try await bench.home.start()
    let before = await bench.home.snapshot().revision
    let time = clock.clock.now().microseconds
    // Not so fast that it were doubted.
    for (number, latitude) in [52.5, 52.500_18, 52.502].enumerated() {
      await bench.home.take([fix(latitude, at: time + Int64(number) * 10_000_000, "box-\(number)")])
      clock.pass(.seconds(1))
    }
    let changes = try #require(await bench.home.changes(after: before))
    #expect(changes.compactMap(Self.latitude) == [52.5, 52.502])
    await bench.home.stop()
  }

  @Test func nowAndThenItsAgeIsTold() async throws {
    let bench = try ShellBench(Self.file, clock: clock.clock)
    try await bench.home.start()
    let before = await bench.home.snapshot().revision
    let time = clock.clock.now().microseconds
    for seconds: Int64 in [-600, -540, -200] {
      await bench.home.take([fix(52.5, at: time + seconds * 1_000_000, "box\(seconds)")])
      clock.pass(.seconds(1))
    }
    let changes = try #require(await bench.home.changes(after: before))
    let told = changes.filter {
      if case .value("b", let value) = $0.event { value.name == "location" } else { false }
    }
    #expect(told.count == 2)
    await bench.home.stop()
  }

  /// As several gateways report at once, or a receiver several times a second.
  @Test func oneASecondIsToldAndThenTheLast() async throws {
    let bench = try ShellBench(Self.file, clock: clock.clock)
    try await bench.home.start()
    let before = await bench.home.snapshot().revision
    let time = clock.clock.now().microseconds
    func told() async throws -> [Double] {
      try #require(await bench.home.changes(after: before)).compactMap(Self.latitude)
    }
    for (number, latitude) in [52.5, 52.500_18, 52.500_36].enumerated() {
      await bench.home.take([fix(latitude, at: time + Int64(number) * 1_000_000, "\(number)")])
    }
    #expect(try await told() == [52.5])
    // Nothing else has to come.
    let wake = try #require(await bench.home.wakeAt)
    #expect(wake <= clock.elapsed.wholeMicroseconds + 1_000_000)
    clock.pass(.seconds(1))
    await bench.home.take([.clock])
    #expect(try await told() == [52.5, 52.500_36])
    clock.pass(.seconds(1))
    await bench.home.take([.clock])
    #expect(try await told().count == 2)
    await bench.home.stop()
  }
}
