import Bluetooth
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import LunaShare
import LunaTesting
import Testing

/// What the owner tells a tracker after rings of those with whom it is shared (SHARING.md, 1): it obeys, at the latest
/// with the counter that the owner's program raises.
@Suite(.timeLimit(.minutes(10)))
struct NextCommandTests {
  /// The period of the clock of the tracker, and of its owner.
  private static let period: UInt32 = 1_660_156
  private let owned = Device(
    uuid: Samples.uuid(1), masterKey: MasterKey(bytes: InlineArray { UInt8($0) }),
    onboardingTimestamp: Timestamp(microseconds: 1_699_990_000_000_000), name: "keys")
  private let keys: TrackerKeys

  init() throws {
    var schedule = try KeySchedule()
    keys = schedule.keys(of: try #require(owned.masterKey))
  }

  /// What is shared of the periods around the present one.
  private func shared(_ perPeriod: Int) throws -> SharedPeriods {
    let masterKey = try #require(owned.masterKey)
    return try SharedPeriods(
      of: masterKey, periods: PeriodRange(first: Self.period - 3, last: Self.period + 9),
      rights: ShareRights(ring: RingRight(seconds: 5, perPeriod: perPeriod)), until: .max)
  }

  /// How often the owner has to tell the tracker something until it obeys; 9 where it never does.
  private func attempts(_ situation: ControlSituation, isNear: Bool) async throws -> Int {
    let owner = LunaOwner(store: InMemoryDeviceStore(devices: [owned]))
    let time = Timestamp(microseconds: Int64(situation.clock) * 1_000_000)
    var situation = situation
    var tracker = try ControlAuthenticator()
    for number in 1...3 {
      let package: ControlPackage
      if isNear {
        let challenge = ControlChallenge(
          nonce: InlineArray(repeating: UInt8(number)), onAir: situation.periodOnAir)
        situation.challenge = challenge
        package = try await owner.interactivePackage(
          .buzzStart, argument: 10, for: owned.uuid, challenge: challenge, at: time)
      } else {
        let packages = try await owner.deferredPackages(
          .buzzStart, argument: 10, for: owned.uuid, from: time, lasting: .seconds(60))
        package = try #require(packages.first { $0.reference == situation.periodOnAir })
      }
      let verdict = tracker.judge(package.bytes.span, keys: keys, in: situation)
      if verdict.status == .done { return number }
      #expect(verdict.status == .stale)
      let receipt = try tracker.verify(verdict.receipt.span, for: package, keys: keys)
      #expect(
        try await owner.prepareAgain(
          for: owned.uuid, trackerTime: receipt.clock, at: time))
    }
    return 9
  }

  /// Each ring that can be delivered, at the edges of a period, also while the tracker still shows the one before.
  @Test(arguments: RingRight.choices)
  func worksAfterEachRing(perPeriod: Int) async throws {
    let shared = try shared(perPeriod)
    var heids = try ReportKeyDeriver()
    var tracker = try ControlAuthenticator()
    var most = 0
    for (elapsed, delays) in [(0, [0, 1]), (203, [0, 1]), (512, [0]), (1023, [0])]
      as [(UInt32, [UInt32])]
    {
      for onAir in delays.map({ Self.period - $0 }) {
        for period in onAir - 1...onAir + 1 {
          for slot in 0..<Int64(perPeriod) {
            let time = 1024 * Int64(period) + slot * 1024 / Int64(perPeriod)
            let ring = try #require(shared.ringPackage(period, at: time, heids: &heids))
            #expect(Int64(ring.counter) == time)
            var situation = ControlSituation(
              periodOnAir: onAir, lastCounter: 0, clock: 1024 * Self.period + elapsed)
            let verdict = tracker.judge(ring.bytes.span, keys: keys, in: situation)
            #expect(verdict.status == .done && verdict.lastCounter == ring.counter)
            situation.lastCounter = verdict.lastCounter
            for isNear in [false, true] {
              let attempts = try await attempts(situation, isNear: isNear)
              #expect(attempts <= 2, "\(elapsed) \(onAir) \(period) \(slot) \(isNear)")
              most = max(most, attempts)
            }
          }
        }
      }
    }
    // Some of them are ahead of the time.
    #expect(most == 2)
  }

  /// Rings of all kinds in any order.
  @Test func worksAfterAnyOrderOfRings() async throws {
    let shares = try RingRight.choices.map { try shared($0) }
    var heids = try ReportKeyDeriver()
    var tracker = try ControlAuthenticator()
    var random = Seeded(14)
    for number in 0..<1000 {
      let onAir = Self.period + UInt32.random(in: 0...6, using: &random)
      var situation = ControlSituation(
        periodOnAir: onAir, lastCounter: 0,
        clock: 1024 * onAir + UInt32.random(in: 0..<1024, using: &random))
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let shared = try #require(shares.randomElement(using: &random))
        let period = onAir - 1 + UInt32.random(in: 0...2, using: &random)
        let time = 1024 * Int64(period) + Int64.random(in: 0..<1024, using: &random)
        let ring = try #require(shared.ringPackage(period, at: time, heids: &heids))
        situation.lastCounter =
          tracker.judge(ring.bytes.span, keys: keys, in: situation).lastCounter
      }
      #expect(try await attempts(situation, isNear: number % 2 == 0) <= 2)
    }
  }
}
