public import LunaProtocol

extension TrackerMachine {
  /// What happens to a tracker.
  public enum Event: Sendable {
    /// Time passed; see ``TrackerMachine/nextDeadline``.
    case timePassed
    /// The button went down.
    case buttonDown
    /// The button was released.
    case buttonUp
    /// The battery was measured.
    case battery(BatteryLevel)
    /// The tracker found something wrong with itself, or that it is gone.
    case fault(Bool)
    /// Somebody connected; until ``mtu(_:)`` an ATT PDU holds 23 bytes.
    case connected
    /// The MTU that the two sides agreed on.
    case mtu(Int)
    /// The connection is gone.
    case disconnected
    /// A characteristic is read, from an offset.
    case read(TrackerCharacteristic, offset: Int)
    /// A characteristic is written; long writes are put together before.
    case write(TrackerCharacteristic, [UInt8])
  }
}
