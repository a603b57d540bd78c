/// Is told what a finder does, one call after the other, on a queue of the finder's own.
public protocol LunaDelegate: AnyObject, Sendable {
  /// Something does not work. The finder goes on, unless the error says that it cannot.
  func lunaFinder(didFailWithError error: any Error)

  /// A tracker was reported: 32 hexadecimal digits that mean nothing to others than its owner.
  func lunaFinder(didFindHeid heid: String)

  /// How it stands with what it hears has changed: the adapter fails or is back, or somebody seems to
  /// make identifiers up.
  func lunaFinder(didChangeState state: FinderState)

  /// Sightings or events were lost, for a reason of `DropReason`.
  func lunaFinder(didDrop count: Int, reason: String)

  /// Trackers in iBeacon mode are near. Of old: ``LunaFinder/updates`` tell it as well.
  func lunaFinder(didEnterRegion region: LunaRegion)

  /// No tracker in iBeacon mode of the region was heard for 30 s. Of old, as the one before.
  func lunaFinder(didExitRegion region: LunaRegion)
}

extension LunaDelegate {
  /// Does nothing.
  public func lunaFinder(didFindHeid heid: String) {}

  /// Does nothing.
  public func lunaFinder(didChangeState state: FinderState) {}

  /// Does nothing.
  public func lunaFinder(didDrop count: Int, reason: String) {}

  /// Does nothing.
  public func lunaFinder(didEnterRegion region: LunaRegion) {}

  /// Does nothing.
  public func lunaFinder(didExitRegion region: LunaRegion) {}
}
