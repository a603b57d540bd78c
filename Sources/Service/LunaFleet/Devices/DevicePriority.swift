/// How much a device matters to those who look after a place.
public enum DevicePriority: String, Sendable, CaseIterable {
  case low, normal, high, critical
}
