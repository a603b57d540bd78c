import LunaProtocol
import TrackerMachine

/// What is written to the console.
extension TrackerBoard {
  /// The text of the label, alone on its line, as those who onboard read it from a file. Whoever has it can onboard the
  /// tracker. A line may have begun before: one that a power cut broke off, what was typed, the noise of a cable.
  var codeLine: [UInt8] { [0x0D, 0x0A] + ConsoleLine(machine.record.code.revealed).ended }

  /// How the tracker does.
  var stateLine: [UInt8] {
    let record = machine.record
    var line = ConsoleLine("state")
    line.add(stateWord)
    line.add("period", UInt64(machine.period ?? 0))
    line.add("counter", UInt64(record.lastCounter))
    line.add("clock", record.isClockUncertain ? "uncertain" : "good")
    line.add("battery", batteryWord)
    line.add("link", link == nil ? "none" : "up")
    line.add("button", isButtonDown ? "down" : "up")
    line.add("writes", UInt64(flash.sequence))
    return line.ended
  }

  /// Whether somebody holds the button.
  var isButtonDown: Bool { button.isDown || isHeld }

  private var stateWord: String {
    switch machine.record.state {
    case .factory: "factory"
    case .keyed: "keyed"
    case .locked: "locked"
    }
  }

  private var batteryWord: String {
    switch gauge.level {
    case .unknown: "unknown"
    case .normal: "normal"
    case .low: "low"
    case .critical: "critical"
    }
  }
}
