import Bluetooth

/// What happens on a connection.
enum ConversationEvent: Sendable {
  /// It is there, and offers this.
  case connected([GATTCharacteristic])
  /// Indications will come.
  case subscribed
  /// The tracker has what was written.
  case written
  /// The tracker indicated something.
  case value([UInt8])
  /// Nothing came in time.
  case silence
  /// What was to be done failed.
  case failed(GATTError)
  /// The time for all of it is over, and nothing more can be done on the connection.
  case timeIsOver
  /// What was to be told is told.
  case told
  /// It is to stop.
  case stop
}
