package import Beacons
package import Bluetooth
import Diagnosis

/// What a stranger wants of a tracker.
package enum StrangerWish: Sendable {
  case ring, identify

  private static let decoder = BeaconDecoder()

  /// Says what is known from an advertisement: that nobody but the maker's app, or nobody at all, is obeyed.
  /// A connection would only take its time to find that out.
  ///
  /// - Throws: ``BuzzerError`` of kind `notOffered`. Not where something in the advertisement allows it, or
  ///   nothing is known of the sender.
  package func check(_ report: AdvertisingReport) throws(BuzzerError) {
    let beacons = StrangerWish.decoder.beacons(in: report)
    let all = beacons.map { access(FamilyPermissions($0)) }
    // What only advertises may be a tracker by turns.
    guard let beacon = beacons.first, let access = all.first, !all.contains(.separated),
      !all.contains(.nobody)
    else { return }
    throw BuzzerError(
      .notOffered, "it is a \(beacon.title): \(refusal(access))",
      remedy: "look for it by its signal: \(.scan)")
  }

  /// Why a stranger is not obeyed by things of a family; nil for those that obey anyone at times.
  package func refusal(of family: BeaconFamily) -> String? {
    let access = access(FamilyPermissions(family))
    return access == .separated ? nil : refusal(access)
  }

  private func access(_ permissions: FamilyPermissions) -> FamilyPermissions.Access {
    switch self {
    case .ring: permissions.ring
    case .identify: permissions.identify
    }
  }

  private func refusal(_ access: FamilyPermissions.Access) -> String {
    switch (self, access) {
    case (.ring, .app(let app)): "only its owner makes it sound, in the \(app) app"
    case (.identify, .app(let app)): "it tells only its owner more, in the \(app) app"
    case (.ring, .owner): "only its owner makes it sound"
    case (.identify, .owner): "it tells only its owner more"
    case (.ring, _): "it makes no sound"
    case (.identify, _): "it tells nobody more"
    }
  }
}
