import Bluetooth
import LunaCore
import Testing

@Suite struct LocationRulesTests {
  /// 2026-11-21T10:00:00Z
  private let now = Timestamp(microseconds: 1_795_255_200_000_000)

  private func refusal(_ seconds: Double?, at now: Timestamp? = nil) -> LocationRefusal? {
    let date = seconds.map {
      Timestamp(microseconds: self.now.microseconds + Int64($0 * 1_000_000))
    }
    return LocationRules.refusal(
      of: LocationFix(latitude: 1, longitude: 2, measuredAt: date), at: now ?? self.now)
  }

  @Test(arguments: [
    (0.0, LocationRefusal?.none), (-30, nil), (-30.000001, .stale), (10, nil),
    (10.000001, .impossibleDate), (-1e9, .impossibleDate), (3e9, .impossibleDate),
    (-86_400, .stale),
  ])
  func judgesTheAge(_ seconds: Double, _ expected: LocationRefusal?) {
    #expect(refusal(seconds) == expected)
  }

  @Test func aPlaceThatDoesNotMoveHasNoAge() {
    #expect(refusal(nil) == nil)
  }

  @Test func withoutAClockOnlyTheDateCounts() {
    let never = Timestamp(microseconds: 7_000_000)
    #expect(refusal(-86_400, at: never) == nil)
    #expect(refusal(-1e9, at: never) == .impossibleDate)
  }

  @Test(arguments: [
    (90.0, 180.0, true), (-90, -180, true), (90.1, 0, false), (0, 180.1, false), (.nan, 0, false),
    (0, .infinity, false),
  ])
  func judgesThePosition(_ latitude: Double, _ longitude: Double, _ isPossible: Bool) {
    let fix = LocationFix(latitude: latitude, longitude: longitude, measuredAt: now)
    #expect((LocationRules.refusal(of: fix, at: now) == nil) == isPossible)
  }

  @Test(
    arguments: [
      (1_767_225_599_999_999, false), (1_767_225_600_000_000, true), (4_294_967_295_000_000, true),
      (4_294_967_295_000_001, false), (0, false), (Int64.min, false), (.max, false),
    ] as [(Int64, Bool)])
  func knowsTimesThatCannotBe(_ microseconds: Int64, _ isPlausible: Bool) {
    #expect(LocationRules.isPlausible(Timestamp(microseconds: microseconds)) == isPlausible)
  }
}
