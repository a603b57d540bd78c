import Beacons
package import Bluetooth
import LunaProtocol

/// What a tracker says in its advertisement of whether its owner is near.
package struct OwnerNearness: Hashable, Sendable {
  /// Whether strangers may make it sound.
  package let isSeparated: Bool
  /// The same for people, such as "it advertises that its owner is near".
  package let clause: String

  /// What an advertisement says; nil when that is nothing.
  package init?(_ report: AdvertisingReport?) {
    guard let report else { return nil }
    for beacon in BeaconDecoder().beacons(in: report) {
      let said: (isSeparated: Bool, near: String, separated: String)
      let (near, separated) = ("its owner is near", "it is separated")
      switch beacon {
      case .appleFindMy(let frame): said = (frame.isSeparated, near, separated)
      case .dult(let frame): said = (!frame.nearOwner, near, separated)
      case .googleFindHub(let frame):
        said = (
          frame.unwantedTracking, "it is not in the mode that protects against being tracked",
          "it may be followed by strangers"
        )
      case .luna(let frame):
        said = (frame.frame.isSeparated, "it met its owner recently", separated)
      default: continue
      }
      isSeparated = said.isSeparated
      clause = "it advertises that " + (said.isSeparated ? said.separated : said.near)
      return
    }
    return nil
  }
}
