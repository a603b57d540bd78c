import LunaProtocol

extension Event {
  /// Whether its battery was low; nil when it did not tell.
  var batteryLow: Bool? { (try? status.get())?.battery.isLow }
}
