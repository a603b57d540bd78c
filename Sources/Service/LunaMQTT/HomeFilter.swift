public import LunaProtocol

/// Which of one's own trackers a home is told of.
public struct HomeFilter: Sendable {
  /// Those alone; nil for all.
  public var allowed: Set<DeviceUUID>?
  /// Not those.
  public var denied: Set<DeviceUUID>

  /// A filter; who is in both is not told.
  public init(allowed: Set<DeviceUUID>? = nil, denied: Set<DeviceUUID> = []) {
    self.allowed = allowed
    self.denied = denied
  }

  /// Whether a home is told of it.
  public func admits(_ uuid: DeviceUUID) -> Bool {
    !denied.contains(uuid) && allowed?.contains(uuid) != false
  }
}
