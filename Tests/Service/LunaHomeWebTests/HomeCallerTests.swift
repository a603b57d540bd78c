import Bluetooth
import LunaJSON
import Testing

@testable import LunaHome
@testable import LunaHomeWeb

/// What those who call may know.
struct HomeCallerTests {
  private static let invited = Timestamp(microseconds: 1_790_000_000_000_000)

  private static let owner = HomeCaller(
    HomeAccounts.Token(name: "program", role: .owner, createdAt: .unknown))

  private static let guest: HomeCaller = {
    let account = HomeAccount(
      name: "gus", role: .guest,
      rights: [HomeGuestRight("bike", rings: false, since: invited)], until: nil,
      createdAt: invited, hasSecondFactor: false, canSignIn: true)
    let session = HomeSession(
      id: "1", account: "gus", needsCode: false, createdAt: invited, seenAt: invited, agent: "test")
    return HomeCaller(account, session)
  }()

  /// The bike, which was where it is at a time.
  private static func bike(at time: Int64) -> HomeTracker {
    let values = [
      HomeValue(name: "location", value: ["latitude": .real(52.5)], at: time, isFresh: true),
      HomeValue(name: "zone", value: "home", at: time, isFresh: true),
      HomeValue(name: "zones", value: ["home"], at: time, isFresh: true),
      HomeValue(name: "lastSeen", value: "then", at: time, isFresh: true),
      HomeValue(name: "present", value: "yes", at: 1, isFresh: true),
    ]
    return HomeTracker(
      id: "bike", name: "Bike", device: nil, model: "m", icon: nil, tags: [], actions: [],
      values: values, sharedUntil: nil)
  }

  private static func seen(_ tracker: HomeTracker, by caller: HomeCaller) -> [JSONValue?] {
    let properties = TrackerObjects.json(tracker, nil, for: caller)["properties"]
    return tracker.values.map { properties?[$0.name]?["value"] }
  }

  /// How many of the changes to these values somebody is told.
  private static func told(_ tracker: HomeTracker, to caller: HomeCaller) -> Int {
    tracker.values.count { value in
      let change = HomeChange(
        revision: 1, time: invited.microseconds, event: .value(tracker: tracker.id, value))
      return HomeStreams.event(change, for: caller) != nil
    }
  }

  @Test func whereATrackerWasBeforeIsNotTheGuests() {
    let (before, since) = (
      Self.bike(at: Self.invited.microseconds - 1), Self.bike(at: Self.invited.microseconds)
    )
    let all: [JSONValue?] = before.values.map { $0.value }
    let rest: [JSONValue?] = [.null, "unknown", .null, .null, "yes"]
    #expect(Self.seen(before, by: Self.guest) == rest)
    #expect(Self.seen(since, by: Self.guest) == all)
    #expect(Self.seen(before, by: Self.owner) == all)
    #expect(Self.told(before, to: Self.guest) == 1)
    #expect(Self.told(since, to: Self.guest) == 5)
    #expect(Self.told(before, to: Self.owner) == 5)
  }
}
