/// What happens to a home.
public enum HomeInput: Hashable, Sendable {
  /// The process has started; a loaded state goes on as it was.
  case start
  /// Nothing but that time went on.
  case clock
  /// A tracker was somewhere.
  case fix(tracker: String, Fix)
  /// A tracker was heard, dBm.
  case frame(tracker: String, rssi: Int, adapter: String)
  /// Somebody was heard, or the controller confirmed that it scans.
  case alive
  /// The source of advertisements scans, or does not.
  case receiver(isScanning: Bool)
  /// A property has a value.
  case value(tracker: String, property: String, PropertyValue)
  /// A message of this name.
  case message(String)
  /// Something of the box, as `radioLost`.
  case system(String)
  /// A tracker stays with the box.
  case watch(grade: String)
  /// A rule sleeps until a moment, µs since 1970; nil wakes it.
  case snooze(rule: String, until: Int64?)
  /// Somebody has a rule run, whatever it waits for.
  case run(rule: String)

  /// A tracker was heard, µs since 1970: what it is known by as a property.
  static func seen(_ tracker: String, at time: Int64) -> HomeInput {
    .value(tracker: tracker, property: "lastSeen", .text(HomeTime.text(time)))
  }
}
