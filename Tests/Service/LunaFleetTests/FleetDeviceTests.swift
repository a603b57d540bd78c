import Bluetooth
import LunaCore
import LunaJSON
import Testing

@testable import LunaFleet

@Suite struct FleetDeviceTests {
  private static let hour: Int64 = 3_600_000_000
  /// A full hour.
  private static let noon = Timestamp(microseconds: 500_000 * hour)

  private func report(_ bits: UInt32, at time: Timestamp = noon, band: DeviceBand = .mid)
    -> DeviceReport
  {
    DeviceReport(
      ref: "0011223344556677", family: "ibeacon", first: time, last: time,
      hours: HeardHours(bits: bits, at: time), band: band)
  }

  private func later(_ hours: Int64) -> Timestamp {
    Timestamp(microseconds: Self.noon.microseconds + hours * Self.hour)
  }

  @Test func staysWhenHeardInSixOf24Hours() {
    var device = FleetDevice(gateway: "gw", report: report(0b111111))
    #expect(device.isStaying(at: Self.noon))
    #expect(device.isStaying(at: later(18)))
    #expect(!device.isStaying(at: later(19)))
    #expect(!FleetDevice(gateway: "gw", report: report(0b11111)).isStaying(at: Self.noon))
    #expect(
      !FleetDevice(gateway: "gw", report: report(0b111111, band: .far)).isStaying(at: Self.noon))
    device.fields.append("approved", true)
    #expect(!device.isStaying(at: Self.noon))
  }

  @Test func addsHours() {
    var device = FleetDevice(gateway: "gw", report: report(0b101))
    device.hear(report(0b1, at: later(3), band: .near))
    #expect(device.report.hours.bits == 0b101001)
    #expect(device.report.first == Self.noon && device.report.last == later(3))
    // What comes late counts where it belongs.
    device.hear(report(0b1, at: later(1), band: .far))
    #expect(device.report.hours.bits == 0b101101)
    #expect(device.report.band == .near)
    device.hear(report(0b1, at: later(100)))
    #expect(device.report.hours.bits == 1)
  }

  @Test func isBackADayAfterItWasForgotten() {
    var device = FleetDevice(gateway: "gw", report: report(1), forgottenAt: Self.noon)
    device.hear(report(1, at: later(23)))
    #expect(device.forgottenAt != nil)
    device.hear(report(1, at: later(24)))
    #expect(device.forgottenAt == nil)
  }

  @Test func isKeptLongerWhenEdited() {
    var device = FleetDevice(gateway: "gw", report: report(1))
    #expect(device.keptUntil == later(30 * 24))
    device.fields.append("name", "Pump")
    #expect(device.keptUntil == later(400 * 24))
  }
}
