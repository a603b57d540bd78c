import LunaCrypto
import LunaProtocol
import Testing

struct TrackerStatusTests {
  @Test func everyStatusOpensAsItWasSealed() throws {
    var schedule = try KeySchedule()
    let control = try #require(try Anchor.keys().control)
    let botp = schedule.botp(control, period: Anchor.period)
    let other = schedule.botp(control, period: Anchor.period + 1)
    for byte in UInt8(0)..<128 {
      let status = try #require(TrackerStatus(rawValue: byte))
      let esf = schedule.sealStatus(status, botp: botp)
      #expect(try schedule.openStatus(esf, botp: botp) == status)
      #expect(throws: ESFRejection.auth) { try schedule.openStatus(esf, botp: other) }
      let rebuilt = TrackerStatus(
        battery: status.battery, isConnectable: status.isConnectable,
        isSeparated: status.isSeparated, isSounding: status.isSounding,
        isClockUncertain: status.isClockUncertain, hasFault: status.hasFault)
      #expect(rebuilt == status)
    }
    for byte in UInt8(128)...255 { #expect(TrackerStatus(rawValue: byte) == nil) }
  }

  @Test func batteryIsLowFromLevelTwo() {
    #expect(BatteryLevel.unknown.isLow == nil)
    #expect(BatteryLevel.normal.isLow == false)
    #expect(BatteryLevel.low.isLow == true)
    #expect(BatteryLevel.critical.isLow == true)
  }
}
