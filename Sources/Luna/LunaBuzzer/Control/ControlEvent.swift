import Bluetooth
import LunaProtocol

/// What happens while a command is being delivered.
enum ControlEvent: Sendable {
  /// The device was heard just now.
  case heard(HeardTarget)
  /// It was not heard since the last look.
  case silence
  /// Connected, and the services are known.
  case connected(hasControl: Bool, hasChallenge: Bool)
  /// Indications will come.
  case subscribed
  /// What the challenge gave.
  case challenge([UInt8])
  /// The package was made.
  case package(ControlPackage)
  /// No package could be made.
  case noPackage(BuzzerError)
  /// The tracker has the package.
  case written
  /// The tracker answered.
  case answered([UInt8], ControlJudgement)
  /// What was asked of the connection failed.
  case failed(GATTError)
  /// The connection is gone.
  case disconnected
  /// The pause is over.
  case paused
  /// It is to stop.
  case stop
}
