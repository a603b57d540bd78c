import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaProtocol
import Testing

@testable import LunaHome

/// What can be asked of trackers that somebody else shares.
@Suite struct SharedTrackerTests {
  private let entry = TrackerEntry(id: "bike", name: "Bike", device: "bike")

  private func device(_ rights: ShareRights) throws -> Device {
    let records = [UInt8](repeating: 1, count: 2 * rights.recordCount)
    let periods = try #require(
      SharedPeriods(
        periods: PeriodRange(first: 5, last: 6), rights: rights, until: 7168,
        records: SecretBytes(copying: records.span)))
    return Device(
      uuid: DeviceUUID(high: 1, low: 2), keys: .lunaShared(periods),
      onboardingTimestamp: Timestamp(microseconds: 0), name: "bike")
  }

  @Test func toSeeIsNotToTell() throws {
    let device = try device(ShareRights(status: true))
    #expect(entry.actions(of: device).isEmpty)
    let error = #expect(throws: HomeError.self) { _ = try entry.deed("turn_on", nil, device) }
    #expect(error?.kind == .action)
  }

  @Test func toRingIsNoMoreThanThat() throws {
    let device = try device(ShareRights(ring: RingRight(seconds: 12, perPeriod: 4)))
    #expect(entry.actions(of: device) == ["turn_on"])
    for word in ["turn_on", "buzz"] {
      guard case .control("buzz", _)? = try? entry.deed(word, nil, device) else {
        Issue.record("\(word) does not ring")
        continue
      }
    }
    for word in ["turn_off", "blink", "ping"] {
      #expect(throws: HomeError.self) { _ = try entry.deed(word, nil, device) }
    }
  }

  /// A log gets no more of it than it takes to recognise it.
  @Test func whatIsNoActionIsNotRepeatedAtLength() {
    let error = #expect(throws: HomeError.self) {
      _ = try entry.deed(String(repeating: "\u{0}", count: 100_000), nil, nil)
    }
    #expect(error?.kind == .action && (error?.reason.utf8.count ?? .max) < 500)
  }

  @Test func onesOwnDoAll() {
    let device = Device(
      uuid: DeviceUUID(high: 1, low: 2), masterKey: MasterKey(bytes: InlineArray { UInt8($0) }),
      onboardingTimestamp: Timestamp(microseconds: 0), name: "bike")
    #expect(entry.actions(of: device) == ["turn_on", "turn_off", "blink", "ping"])
    #expect(entry.actions(of: nil).isEmpty)
  }
}
