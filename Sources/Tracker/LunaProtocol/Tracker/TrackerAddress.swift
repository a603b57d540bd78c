public import Bluetooth

/// The address of a tracker, new at each rotation (PROTOCOL.md, 5).
public enum TrackerAddress {
  /// The number of periods for which a separated tracker keeps its address.
  public static let separatedHold: UInt32 = 85
  /// How long after it last met its owner a tracker becomes separated, ms.
  public static let separationTime: Int64 = 1_800_000

  /// The random static address made of six random bytes, most significant first.
  ///
  /// - Returns: nil when the lower 46 bits are all 0 or all 1: draw again.
  public static func randomStatic(_ random: InlineArray<6, UInt8>) -> BluetoothAddress? {
    let mask: UInt64 = 1 << 46 - 1
    let bits = random.span.bigEndian(at: 0, count: 6) & mask
    return bits == 0 || bits == mask ? nil : BluetoothAddress(value: 0b11 << 46 | bits)
  }
}
