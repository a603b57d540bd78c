import Bluetooth
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
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

  @Test func makesThePackageOfTheSpecification() async throws {
    let packages = try await packages(at: 1_700_000_100)
    let bytes = packages[0].bytes
    #expect(
      Hex.lower(bytes.span)
        == "0101000a001954fca09867114718541141ed60664ce88cbb6553f164174700a2d4abf9cd01ce7ac6759248cf"
    )
  }

  @Test func makesOnePerPeriodWithOneCounter() async throws {
    let packages = try await packages(at: 1_700_000_123)
    #expect(packages.count == 85)
    #expect(packages.map(\.reference) == Array(1_660_156..<1_660_241))
    #expect(Set(packages.map(\.counter)) == [1_700_000_123])
    #expect(Set(packages.map(\.heid)).count == 85)
    #expect(try await self.packages(at: 1_700_000_123, lasting: .seconds(1)).count == 1)
    #expect(try await self.packages(at: 1_700_000_123, lasting: .seconds(1025)).count == 2)
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
    let beacon = try Samples.oneOfEach()[1]
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
