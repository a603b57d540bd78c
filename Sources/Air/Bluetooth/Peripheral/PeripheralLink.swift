/// A link to somebody who connected. What is said to one that is down is ignored, so that an answer
/// that comes too late does not reach the next one.
public struct PeripheralLink: Hashable, Sendable {
  /// The advertisement that was connected to.
  public let number: Int
  /// Different for every link of a radio.
  public let serial: UInt64

  /// A link that has come about on the advertisement of this number.
  public init(number: Int, serial: UInt64) {
    self.number = number
    self.serial = serial
  }
}
