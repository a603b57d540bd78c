/// What an owner can ask of a tracker (PROTOCOL.md, 12.1).
public enum ControlCommand: UInt8, CaseIterable, Sendable {
  /// Make a sound; the argument is seconds.
  case buzzStart = 0x01
  /// Stop the sound.
  case buzzStop = 0x02
  /// Blink; the argument is seconds.
  case blink = 0x03
  /// Answer only.
  case ping = 0x04
  /// Set the clock to the counter of the package.
  case setClock = 0x05
  /// The owner is near: no longer separated.
  case ownerHere = 0x06
  /// Forget the keys.
  case factoryReset = 0x7E

  /// The seconds of ``buzzStart`` and ``blink`` when the argument is 0.
  public static let defaultSeconds: UInt16 = 12

  /// Whether a tracker takes the command in this form.
  public func isAllowed(in format: ControlFormat, argument: UInt16) -> Bool {
    switch self {
    case .buzzStart, .blink: argument <= 60
    case .buzzStop, .ping: argument == 0
    case .setClock, .ownerHere, .factoryReset: argument == 0 && format == .interactive
    }
  }
}
