package import LunaCore
import LunaJSON

extension HomeStore {
  /// A week that never was, for who wants to look before there is anything: the trackers are at home at
  /// night, and a kilometre away by day.
  package func addMadeUpWeek(_ trackers: [String], until now: Int64) throws(DeviceStoreError) {
    try transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      for (number, tracker) in trackers.enumerated() {
        for quarter in 0..<(7 * 96) {
          let time = now - Int64(7 * 96 - quarter) * 900_000_000
          let hour = quarter / 4 % 24
          let isAway = (9..<17).contains((hour + number * 3) % 24)
          // A little to and fro, the same each time.
          let wobble = Double((quarter * 7919 + number * 104_729) % 100 - 50) / 1_000_000
          _ = try database.add(
            HomeTrackPoint(
              time: time, latitude: (isAway ? 52.5251 : 52.5186) + wobble,
              longitude: (isAway ? 13.3694 : 13.3763) - wobble, accuracy: 40, source: "simulated",
              report: Int64(quarter)), of: tracker)
          if !isAway {
            let rssi = Int64(-60 - (quarter * 31 + number * 17) % 20)
            try database.add(
              HomePoint(time: time, value: .integer(rssi)), of: "rssi", of: tracker)
          }
          if quarter % 4 == 0, isAway != (9..<17).contains((hour + 23 + number * 3) % 24) {
            try database.add(
              HomePoint(time: time, value: .string(isAway ? "office" : "home")), of: "zone",
              of: tracker)
            try database.add(
              HomePoint(time: time, value: .string(isAway ? "no" : "yes")), of: "present",
              of: tracker)
          }
        }
      }
    }
  }
}
