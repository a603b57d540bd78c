package import LunaProtocol

/// What the voltage of a lithium coin cell (CR2032) means. A cell recovers when nothing is asked of it: a word that was
/// given is taken back only when the voltage is well above what it stands for.
package struct BatteryGauge: Hashable, Sendable {
  /// Below this it is low, mV.
  package static let low = 2600
  /// Below this it is critical, mV.
  package static let critical = 2300
  /// By how much a voltage must be above a threshold for a better word, mV.
  package static let hysteresis = 100

  /// What it was found to be last.
  package private(set) var level = BatteryLevel.unknown

  /// A cell that was not measured.
  package init() {}

  /// A voltage was measured; 0 where that cannot be done.
  ///
  /// - Returns: the word, when it has changed.
  package mutating func measure(millivolts: Int) -> BatteryLevel? {
    let before = level
    level = word(for: millivolts)
    return level == before ? nil : level
  }

  private func word(for millivolts: Int) -> BatteryLevel {
    guard millivolts > 0 else { return .unknown }
    if millivolts < BatteryGauge.critical { return .critical }
    let steady = millivolts - BatteryGauge.hysteresis
    if level == .critical, steady < BatteryGauge.critical { return .critical }
    if millivolts < BatteryGauge.low { return .low }
    let wasLow = level == .low || level == .critical
    return wasLow && steady < BatteryGauge.low ? .low : .normal
  }
}
