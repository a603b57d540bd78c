import Bluetooth
import LunaCore
import Testing

@Suite struct HeardHoursTests {
  @Test func hoursOfAnyTimeNeverTrap() {
    for time in [Int64.min, .max, 0, -1] {
      let hours = HeardHours(bits: .max, at: Timestamp(microseconds: time))
      _ = hours.union(HeardHours(bits: .max, at: Timestamp(microseconds: .max))).count(
        at: Timestamp(microseconds: .min))
    }
    for hour in [Int64.min, .max, 0, -1] { _ = HeardHours.beginning(of: hour) }
  }

  @Test(arguments: [Int64(-1), 0, 500_000]) func anHourBeginsInItself(hour: Int64) {
    #expect(HeardHours.hour(of: HeardHours.beginning(of: hour)) == hour)
  }
}
