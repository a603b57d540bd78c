import LunaCore
import LunaProtocol
import SafeText

/// Why an owner's request cannot be met.
public struct OwnerError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// No device is meant by a text.
    case noSuchDevice
    /// Several devices may be meant.
    case ambiguous
    /// The device is of a maker whose protocol has no such thing.
    case foreignDevice
    /// A command is not made that way, or not with that argument.
    case command
    /// A time is not above zero, or too long.
    case duration
    /// The counter of control packages is ahead of the time.
    case counter
    /// What the tracker's clock shows is hardly known.
    case clock
    /// A time ends before it begins, or is longer than a year.
    case range
    /// No backend is known.
    case noBackend
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened and why.
  public let reason: String
  /// What to do.
  public let hint: String?

  init(_ kind: Kind, _ reason: String, hint: String?) {
    self.kind = kind
    self.reason = EscapedText.line(reason)
    self.hint = hint.map(EscapedText.line)
  }

  static func foreign(_ device: Device) -> OwnerError {
    OwnerError(
      .foreignDevice, "\(device.name) is not a LunaTracker (\(device.keys.kind.rawValue))",
      hint: "it can only be followed")
  }

  static func command(
    _ command: ControlCommand, _ argument: UInt16, _ format: ControlFormat
  ) -> OwnerError {
    switch command {
    case .buzzStart, .blink:
      OwnerError(
        .command, "\(command.name) does not take \(argument) s", hint: "use 1 to 60 s, or 0 for 12")
    case .buzzStop, .ping:
      OwnerError(.command, "\(command.name) takes no argument", hint: nil)
    case .setClock, .ownerHere, .factoryReset:
      OwnerError(
        .command, "\(command.name) cannot be sent from afar", hint: "it needs a connection")
    }
  }

  static let duration = OwnerError(
    .duration, "the time must be above zero and at most 366 days", hint: nil)

  static func clock(_ device: Device) -> OwnerError {
    OwnerError(
      .clock, "the clock of \(device.name) may be off by more than 30 days",
      hint: "go near it and use luna owner ping or set-clock")
  }

  static let emptyRange = OwnerError(
    .range, "the time ends before or when it begins (emptyRange)", hint: "use --from before --to")

  static let rangeTooLong = OwnerError(
    .range, "the time is longer than 366 days (rangeTooLong)", hint: "ask for one year at a time")

  static let noBackend = OwnerError(.noBackend, "no backend is named", hint: "use --backend URL")

  static func counterAhead(_ counter: UInt32) -> OwnerError {
    OwnerError(
      .counter, "the clock cannot be set: the counter of packages is ahead of the time, \(counter)",
      hint: "check the clock of this machine, or wait until it has passed the counter")
  }
}

extension OwnerError: CustomStringConvertible {
  /// Reason and hint in one line.
  public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
