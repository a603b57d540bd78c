public import Bluetooth

/// What goes wrong with a message.
public enum GATTFault: Sendable {
  /// The peer vanishes before it: the message does not arrive.
  case vanishBefore
  /// The peer vanishes after it: the message arrives, the answer does not.
  case vanishAfter
  /// It takes so much longer.
  case late(Duration)
  /// The message arrives, an answer never comes; the client gives up after so long.
  case never(Duration)
  /// What is read or indicated is this in truth.
  case garbage(@Sendable ([UInt8]) -> [UInt8])
  /// It fails with this error, and the message does not arrive.
  case fail(GATTError)
  /// This side stops for good before it, as if it was killed.
  case freezeBefore
  /// This side stops for good after it, as if it was killed.
  case freezeAfter
}
