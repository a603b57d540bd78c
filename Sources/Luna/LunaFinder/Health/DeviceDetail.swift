/// What a gateway tells its backend of the advertisers around it.
public enum DeviceDetail: String, CaseIterable, Hashable, Sendable {
  /// Nothing.
  case off
  /// How many there are, and of which families.
  case counts
  /// Also which of those that are no trackers stay, by pseudonyms that only this gateway gives.
  case refs
}
