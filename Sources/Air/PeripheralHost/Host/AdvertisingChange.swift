import Bluetooth

/// A change of an advertisement under way: off the air, everything new, on the air.
struct AdvertisingChange: Sendable {
  /// Which advertisement.
  let number: Int
  /// Whether it ends on the air.
  let speaks: Bool
  /// The commands that were not sent yet.
  var rest: [HCICommand]
}
