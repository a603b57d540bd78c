public import Bluetooth

/// Takes the fields of a beacon, one by one, in the order in which people want to read them. JSON,
/// filters and the details of the table are writers; a family declares its fields once, in
/// ``BeaconFrame/write(to:)``.
///
/// A field that is not known is not written.
public protocol BeaconFieldWriter {
  /// One of a few fixed words.
  mutating func word(_ name: StaticString, _ value: StaticString)
  /// Text from the air, or made from it.
  mutating func string(_ name: StaticString, _ value: String)
  /// Bytes.
  mutating func hex(_ name: StaticString, _ value: Span<UInt8>)
  /// A whole number.
  mutating func integer(_ name: StaticString, _ value: Int)
  /// The number `value` / 10^`digits`, exact. Zeros at its end need not be shown.
  mutating func decimal(_ name: StaticString, _ value: Int, digits: Int)
  /// Yes or no.
  mutating func boolean(_ name: StaticString, _ value: Bool)
  /// A UUID.
  mutating func uuid(_ name: StaticString, _ value: BluetoothUUID)
}

extension BeaconFieldWriter {
  /// Bytes of a fixed number.
  @inlinable
  mutating func hex<let count: Int>(_ name: StaticString, _ value: Octets<count>) {
    hex(name, value.bytes.span)
  }
}
