public import Bluetooth

extension TrackerRoom: RadioProvider {
  /// Made up.
  public var air: RadioAir { .simulated }

  /// Another radio in the same room.
  public func makeRadio(_ mode: ScanMode) -> Radio { radio(isActive: mode != .passive) }
}
