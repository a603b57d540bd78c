import Beacons
package import Bluetooth
import LunaProtocol

/// Whether a tracker says in its advertisement that its owner is near.
package enum OwnerNearness {
  /// A clause for people about it, such as "it advertises that its owner is near"; nil when the advertisement says nothing.
  package static func clause(on report: AdvertisingReport?) -> String? {
    guard let report else { return nil }
    for beacon in BeaconDecoder().beacons(in: report) {
      switch beacon {
      case .appleFindMy(let frame):
        return frame.isSeparated
          ? "it advertises that it is separated" : "it advertises that its owner is near"
      case .dult(let frame):
        return frame.nearOwner
          ? "it advertises that its owner is near" : "it advertises that it is separated"
      case .googleFindHub(let frame):
        return frame.unwantedTracking
          ? "it advertises that it may be followed by strangers"
          : "it advertises that it is not in the mode that protects against being tracked"
      case .luna(let frame):
        return frame.frame.isSeparated
          ? "it advertises that it is separated" : "it advertises that it met its owner recently"
      default: continue
      }
    }
    return nil
  }
}
