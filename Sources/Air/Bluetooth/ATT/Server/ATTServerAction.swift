/// What an ``ATTServer`` wants done, in order.
public enum ATTServerAction: Hashable, Sendable {
  /// Send a PDU.
  case send([UInt8])
  /// The two sides agreed on this ATT_MTU.
  case mtu(Int)
  /// Somebody reads a characteristic, from an offset: answer with ``ATTServer/respond(_:)``.
  case read(BluetoothUUID, offset: Int)
  /// Somebody writes a characteristic, all of it: answer with ``ATTServer/respond(_:)``.
  case write(BluetoothUUID, [UInt8])
  /// Call ``ATTServer/confirmationTimedOut()`` after ``ATTServer/confirmationLimit``, instead of what
  /// was asked before.
  case startTimer
  /// Do not call it.
  case stopTimer
  /// End the link: the other side breaks the rules, or ``ATTServer/finish()`` asked for it.
  case end(String)
}
