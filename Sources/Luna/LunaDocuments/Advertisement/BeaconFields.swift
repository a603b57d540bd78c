import Beacons
import Bluetooth

/// Lets a beacon family write its fields to a field writer.
struct BeaconFields<Inner: FieldWriter>: BeaconFieldWriter {
  var inner: Inner

  mutating func word(_ name: StaticString, _ value: StaticString) { inner.string(name, value) }
  mutating func string(_ name: StaticString, _ value: String) { inner.string(name, value) }
  mutating func hex(_ name: StaticString, _ value: Span<UInt8>) { inner.hex(name, value) }
  mutating func integer(_ name: StaticString, _ value: Int) { inner.integer(name, Int64(value)) }
  mutating func decimal(_ name: StaticString, _ value: Int, digits: Int) {
    inner.decimal(name, Int64(value), digits: digits)
  }
  mutating func boolean(_ name: StaticString, _ value: Bool) { inner.boolean(name, value) }
  mutating func uuid(_ name: StaticString, _ value: BluetoothUUID) { inner.uuid(name, value) }
}
