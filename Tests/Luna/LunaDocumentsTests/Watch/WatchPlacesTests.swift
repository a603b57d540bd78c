import Bluetooth
import LunaCore
import LunaTesting
import LunaWatch
import Testing

@testable import LunaDocuments

@Suite("Where it was heard, as a source tells it", .timeLimit(.minutes(10)))
struct WatchPlacesTests {
  /// Has told all that it will.
  private final class Told: LocationSource {
    let description = "told"
    let updates: AsyncStream<LocationUpdate>

    init(_ told: [LocationUpdate]) {
      let (updates, continuation) = AsyncStream.makeStream(of: LocationUpdate.self)
      for update in told { continuation.yield(update) }
      continuation.finish()
      self.updates = updates
    }

    func start() async {}
    func stop() async {}
  }

  private static func fix(_ second: Int64) -> LocationUpdate {
    .fix(
      LocationFix(
        latitude: 52, longitude: 13, measuredAt: Timestamp(microseconds: second * 1_000_000)))
  }

  /// What is said to be in the way of places, and how many there are.
  private func follow(_ updates: [LocationUpdate]) async -> (lost: [String], places: Int) {
    let places = WatchPlaces([])
    let lost = Watched<[String]>([])
    await places.follow(
      Told(updates), lost: { reason in lost.withLock { $0.append(reason) } })
    var count = 0
    places.take(until: Timestamp(microseconds: .max)) { _ in count += 1 }
    return (lost.value, count)
  }

  @Test("Where the clock is set back, those of a time to come hold up none")
  func goesOnWhereTheClockIsSetBack() async {
    let places = WatchPlaces([])
    await places.follow(Told([3_600, 3_601, 60, 61, 62].map(Self.fix)), lost: { _ in })
    func seconds(until second: Int64) -> [Int64] {
      var seconds: [Int64] = []
      places.take(until: Timestamp(microseconds: second * 1_000_000)) {
        seconds.append($0.time.microseconds / 1_000_000)
      }
      return seconds
    }
    #expect(seconds(until: 61) == [60, 61])
    #expect(seconds(until: 9_999) == [62])
  }

  @Test("A place that does not move is said every five minutes of what is heard")
  func saysAgainWhereTheBoxStands() async {
    let places = WatchPlaces([])
    await places.follow(
      Told([.fix(LocationFix(latitude: 52, longitude: 13))]), lost: { _ in })
    var said: [Int64] = []
    // Once the clock is set back.
    for second in Array(stride(from: Int64(0), to: 1_000, by: 10)) + [400, 410] {
      places.take(until: Timestamp(microseconds: second * 1_000_000)) {
        said.append($0.time.microseconds / 1_000_000)
      }
    }
    places.take(until: .unknown) { _ in said.append(-1) }
    places.take(until: Timestamp(microseconds: .max)) { _ in said.append(-2) }
    #expect(said == [0, 300, 600, 900, 400])
  }

  @Test("What is in the way of them is said once for each reason")
  func saysWhatIsInTheWay() async {
    let (lost, places) = await follow([
      .unavailable("nobody answers"), .unavailable("nobody answers"), .refused(.noFix),
      Self.fix(1), .refused(.noFix), .unavailable("nobody answers"), Self.fix(2),
    ])
    #expect(lost == ["nobody answers", "the receiver has no fix"])
    #expect(places == 2)
  }

  @Test("It is said again after places have come for a while")
  func saysItAgain() async {
    var updates: [LocationUpdate] = [.refused(.noFix)]
    for second in 1...30 { updates.append(Self.fix(Int64(second))) }
    updates += [.refused(.noFix), .refused(.noFix)]
    let (lost, places) = await follow(updates)
    #expect(lost == ["the receiver has no fix", "the receiver has no fix"])
    #expect(places == 30)
  }

  @Test("Who says ever other reasons is not listened to for ever")
  func endsSomewhere() async {
    let (lost, _) = await follow((0..<100).map { LocationUpdate.unavailable("reason \($0)") })
    #expect(lost.count == 30)
  }
}
