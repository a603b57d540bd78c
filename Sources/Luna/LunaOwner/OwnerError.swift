package import Bluetooth
public import Diagnosis
import LunaCore
import LunaProtocol

/// Why an owner's request cannot be met.
public struct OwnerError: Diagnosed, CustomStringConvertible, Hashable {
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
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis
  /// From when it can be done; nil where waiting does not help.
  package var possibleAt: Timestamp?

  init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }

  static func foreign(_ device: Device) -> OwnerError {
    OwnerError(
      .foreignDevice, "\(device.name) is not a LunaTracker (\(device.keys.kind.rawValue))",
      remedy: "it can only be followed")
  }

  static func notShared(_ device: Device) -> OwnerError {
    OwnerError(
      .foreignDevice, "the owner of \(device.name) has not shared that it may be told this",
      remedy: "ask its owner")
  }

  static func ended(_ device: Device) -> OwnerError {
    OwnerError(
      .foreignDevice, "the share of \(device.name) has ended", remedy: "ask its owner for another")
  }

  static func command(
    _ command: ControlCommand, _ argument: UInt16, _ format: ControlFormat
  ) -> OwnerError {
    switch command {
    case .buzzStart, .blink:
      OwnerError(
        .command, "\(command.name) does not take \(argument) s",
        remedy: "use 1 to 60 s, or 0 for 12")
    case .buzzStop, .ping:
      OwnerError(.command, "\(command.name) takes no argument")
    case .setClock, .ownerHere, .factoryReset:
      OwnerError(
        .command, "\(command.name) cannot be sent from afar", remedy: "it needs a connection")
    }
  }

  static let duration = OwnerError(
    .duration, "the time must be above zero and at most 366 days")

  static func clock(_ device: Device) -> OwnerError {
    OwnerError(
      .clock, "the clock of \(device.name) may be off by more than 30 days",
      remedy: "go near it and use \(.pingOrClock)")
  }

  static let emptyRange = OwnerError(
    .range, "the time ends before or when it begins (emptyRange)", remedy: "use \(.timeRange)")

  static let rangeTooLong = OwnerError(
    .range, "the time is longer than 366 days (rangeTooLong)", remedy: "ask for one year at a time")

  static let noBackend = OwnerError(.noBackend, "no backend is named", remedy: "use \(.backend)")

  /// The counter that would be used is ahead of the time, and is used up by that.
  static func counterAhead(_ counter: UInt32) -> OwnerError {
    let time = Timestamp(unixMilliseconds: (Int64(counter) + 1) * 1000)
    var error = OwnerError(
      .counter,
      "the clock cannot be set before \(time.rfc3339): the counter of packages is ahead of the time, "
        + "\(counter)",
      remedy: "check the clock of this machine, or try again after that time")
    error.possibleAt = time
    return error
  }
}

extension OwnerError: LaterPossible {}
