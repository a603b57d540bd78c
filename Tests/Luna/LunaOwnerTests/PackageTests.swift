import Bluetooth
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import LunaTesting
import Testing

struct PackageTests {
  /// The anchor of PROTOCOL.md, 18.
  private let anchor = Device(
    uuid: Samples.uuid(1), masterKey: MasterKey(bytes: InlineArray { UInt8($0) }),
    onboardingTimestamp: Timestamp(microseconds: 1_690_000_000_000_000), name: "anchor")
  private let store = InMemoryDeviceStore()
  private let owner: LunaOwner

  init() {
    store.put([anchor])
    owner = LunaOwner(store: store)
  }

  private func packages(
    at seconds: Int64, _ command: ControlCommand = .buzzStart, _ argument: UInt16 = 10,
    lasting duration: Duration = .seconds(86_400)
  ) async throws -> [ControlPackage] {
    try await owner.deferredPackages(
      command, argument: argument, for: anchor.uuid,
      from: Timestamp(microseconds: seconds * 1_000_000), lasting: duration)
  }

  /// The owner knows the tracker's clock less its own: between these, s.
  private func know(_ low: Int64, _ high: Int64, at seconds: Int64) {
    store.save([
      anchor.uuid: ClockState(
        interval: ClockInterval(low: low * 1000, high: high * 1000, time: seconds * 1000))
    ])
  }

  @Test func makesThePackageOfTheSpecification() async throws {
    know(0, 0, at: 1_700_000_100)
    let packages = try await packages(at: 1_700_000_100)
    let bytes = try #require(packages.first { $0.reference == 1_660_156 }).bytes
    #expect(
      Hex.lower(bytes.span)
        == "0101000a001954fca09867114718541141ed60664ce88cbb6553f164174700a2d4abf9cd01ce7ac6759248cf"
    )
  }

  @Test func makesOnePerPeriodWithOneCounter() async throws {
    know(0, 0, at: 1_700_000_123)
    // 379 s into a period, and a day later 763 s into another one, whatever the drift until then.
    let packages = try await packages(at: 1_700_000_123)
    #expect(packages.count == 85)
    #expect(packages.map(\.reference) == Array(1_660_156...1_660_240))
    #expect(Set(packages.map(\.counter)) == [1_700_000_123])
    #expect(Set(packages.map(\.heid)).count == 85)
    #expect(try await self.packages(at: 1_700_000_123, lasting: .seconds(1)).count == 1)
    #expect(try await self.packages(at: 1_700_000_123, lasting: .seconds(1025)).count == 2)
    for second in stride(from: 1_700_000_000 as Int64, to: 1_700_001_100, by: 50) {
      know(-1, 1, at: second)
      let count = try await self.packages(at: second).count
      #expect((85...87).contains(count), "\(count) packages at \(second)")
    }
  }

  /// What a tracker shows is among the packages at every second of their time, whatever delay it has
  /// drawn and however its clock is known to be off (PROTOCOL.md, 4, 11.2 and 12.1).
  @Test(arguments: [0, 203, -204, -3_599, 100_000] as [Int64])
  func coversWhatIsOnAirAtEverySecondWithEveryDelay(error: Int64) async throws {
    let begin: Int64 = 1_660_156 * 1024
    know(error - 2, error + 2, at: begin)
    let lasting: Int64 = 900
    var missing = 0
    for second in begin..<begin + 3 * 1024 {
      let periods = try await owner.periods(
        of: anchor, from: Timestamp(microseconds: second * 1_000_000),
        to: Timestamp(microseconds: (second + lasting) * 1_000_000))
      // The clock at either end of what is known, in turns.
      let clock = (second + error + (second % 2 == 0 ? -2 : 2)) * 1000
      var delay: Int64 = 0
      while delay <= 203_000 {
        for time in [clock, clock + lasting * 1000] {
          let shown = Rotation.periodOnAir(clock: time, delay: delay, minimumPeriod: 0)
          // An expectation each would take minutes.
          if !periods.contains(shown) { missing += 1 }
        }
        delay += 1000
      }
      // No more than can be on air.
      if periods.count > 3 { missing += 1 }
    }
    #expect(missing == 0)
  }

  /// The same with the packages themselves, at the edges.
  @Test func makesPackagesForTheDelayOfARotation() async throws {
    let boundary: Int64 = 1_660_157 * 1024
    for (second, lasting, expected) in [
      (boundary, 1, [1_660_156, 1_660_157]), (boundary + 203, 1, [1_660_156, 1_660_157]),
      (boundary + 210, 1, [1_660_157]), (boundary - 5, 1, [1_660_156]),
      (boundary - 5, 10, [1_660_156, 1_660_157]),
      // The time ends just after a period has begun.
      (boundary + 1000, 3600, [1_660_157, 1_660_158, 1_660_159, 1_660_160, 1_660_161]),
    ] as [(Int64, Int64, [UInt32])] {
      know(0, 0, at: second)
      let made = try await packages(at: second, lasting: .seconds(lasting))
      #expect(made.map(\.reference) == expected, "at \(second - boundary) s")
    }
  }

  /// What was never heard since onboarding may be off by what its oscillator is.
  @Test func countsInTheDriftSinceOnboarding() async throws {
    let seconds: Int64 = 1_700_000_000
    let made = try await packages(at: seconds)
    // 10 million seconds with 200 ppm.
    #expect(made.first?.reference == UInt32((seconds - 2000 - 2 - 204) / 1024))
    #expect(made.last?.reference == UInt32((seconds + 86_400 + 2018 + 1) / 1024))
  }

  /// A clock of which nothing is known would take packages without end.
  @Test func refusesAClockThatIsHardlyKnown() async throws {
    store.save([
      anchor.uuid: ClockState(
        interval: ClockInterval(low: .min / 2, high: .max / 2, time: 1_700_000_000_000))
    ])
    let error = await #expect(throws: OwnerError.self) {
      try await packages(at: 1_700_000_000)
    }
    #expect(error?.kind == .clock)
  }

  /// A later command makes earlier packages stale, whatever the clock says.
  @Test func countsUpwards() async throws {
    var last: UInt32 = 0
    for seconds in [1_700_000_000, 1_700_000_000, 1_600_000_000, 1_700_000_500] as [Int64] {
      let counter = try #require(try await packages(at: seconds).first).counter
      #expect(counter > last)
      last = counter
    }
    #expect(last == 1_700_000_500)
  }

  /// Packages for later leave the counters until then to other commands.
  @Test func countsByTheTimeAtWhichItIsMade() async throws {
    let made = try await owner.deferredPackages(
      .ping, argument: 0, for: anchor.uuid, from: Timestamp(microseconds: 4_102_444_800_000_000),
      lasting: .seconds(3600), counterOf: Timestamp(microseconds: 1_700_000_000_000_000))
    #expect(Set(made.map(\.counter)) == [1_700_000_000])
    #expect(made.map(\.reference).contains(4_102_444_800 / 1024))
  }

  /// Packages are for the periods that the tracker shows, where its clock is known to be off.
  @Test(arguments: [(Int64(-3_600_000), Int64(-4)), (3_600_000, 3), (0, 0)])
  func followsTheClock(error: Int64, periods: Int64) async throws {
    let now: Int64 = 1_700_000_000
    store.save([
      anchor.uuid: ClockState(
        interval: ClockInterval(low: error - 500, high: error + 500, time: now * 1000))
    ])
    let first = try #require(try await packages(at: now).first).reference
    #expect(Int64(first) == now / 1024 + periods)
  }

  @Test func refusesWhatATrackerWould() async throws {
    for (command, argument, duration, kind) in [
      (ControlCommand.buzzStart, UInt16(61), Duration.seconds(9), OwnerError.Kind.command),
      (.ping, 1, .seconds(9), .command), (.factoryReset, 0, .seconds(9), .command),
      (.ping, 0, .zero, .duration), (.ping, 0, .seconds(-5), .duration),
      (.ping, 0, .seconds(367 * 86_400), .duration),
      (.ping, 0, .seconds(Int64.max), .duration),
    ] {
      let error = await #expect(throws: OwnerError.self) {
        try await packages(at: 1_700_000_000, command, argument, lasting: duration)
      }
      #expect(error?.kind == kind)
    }
    // What was refused has cost no counter.
    #expect(try store.issueControlCounter(for: anchor.uuid, unixTime: 1) == 1)
  }

  @Test func refusesDevicesOfOthers() async throws {
    let beacon = Samples.oneOfEach()[1]
    store.put([beacon])
    let error = await #expect(throws: OwnerError.self) {
      try await owner.deferredPackages(
        .ping, argument: 0, for: beacon.uuid, from: Timestamp(microseconds: 0),
        lasting: .seconds(1))
    }
    #expect(error?.kind == .foreignDevice)
  }

  @Test func setsAClockToTheTimeAlone() async throws {
    let nonce = InlineArray<16, UInt8>(repeating: 3)
    let challenge = ControlChallenge(nonce: nonce, clockHint: 1024)
    let time = Timestamp(microseconds: 1_700_000_000_000_000)
    let package = try await owner.interactivePackage(
      .setClock, argument: 0, for: anchor.uuid, challenge: challenge, at: time)
    #expect(package.counter == 1_700_000_000)
    let error = await #expect(throws: OwnerError.self) {
      try await owner.interactivePackage(
        .setClock, argument: 0, for: anchor.uuid, challenge: challenge, at: time)
    }
    #expect(error?.kind == .counter)
  }
}
