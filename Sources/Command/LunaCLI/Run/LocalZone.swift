import Bluetooth
import Glibc
import LunaDocuments

/// The time zone of whoever runs the program: that of TZ, else of the machine.
struct LocalZone: CivilZone {
  let name = "local"

  func offset(at moment: Timestamp) -> Int64 {
    // Rounded down, before 1970 too.
    let rest = moment.microseconds % 1_000_000
    var seconds = time_t(moment.microseconds / 1_000_000 - (rest < 0 ? 1 : 0))
    var fields = tm()
    guard localtime_r(&seconds, &fields) != nil else { return 0 }
    return Int64(fields.tm_gmtoff)
  }
}
