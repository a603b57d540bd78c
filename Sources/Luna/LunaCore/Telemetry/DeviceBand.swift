/// How near a device is to its gateway, as far as signal strength tells.
public enum DeviceBand: String, Sendable, CaseIterable {
  case near, mid, far
}
