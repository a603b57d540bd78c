import LunaCore
import LunaProtocol

/// A wide search on its way: all periods of a tier of all missing devices, against the identifiers
/// that nobody was found for.
struct WideSearchPass {
  /// 0 for tier 2 of the protocol, 1 for tier 3.
  let tier: Int
  /// What is looked for.
  let keys: Set<UInt64>
  let kinds: Set<DeviceKind>
  /// The lowest bytes of the periods of Luna frames that are looked for.
  let counters: [UInt8]
  /// Who is missing, by number.
  let devices: [Int]
  var place = 0
  /// Where the device at `place` goes on.
  var nextPeriod: UInt32?
}
