package import Bluetooth
package import SafeText

/// Takes the fields of a document one after the other: as JSON text, as values to compare, as
/// lines for people. `AdvertisementDocument` declares the fields once for all of them.
package protocol FieldWriter {
  mutating func string(_ name: StaticString, _ value: String)
  mutating func string(_ name: StaticString, _ value: StaticString)
  /// What others wrote: every writer escapes it as its form demands.
  mutating func text(_ name: StaticString, _ value: ForeignText)
  mutating func integer(_ name: StaticString, _ value: Int64)
  /// `value` is in units of 10 to the power of -`digits`.
  mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int)
  mutating func boolean(_ name: StaticString, _ value: Bool)
  mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>)
  mutating func address(_ name: StaticString, _ address: BluetoothAddress)
  mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID)

  /// Opens a list of texts; `element` until `endList`.
  mutating func beginList(_ name: StaticString)
  mutating func element(_ uuid: BluetoothUUID)
  mutating func element(_ text: String)
  mutating func endList()

  /// Opens an object whose keys are data; `entry` until `endMap`.
  mutating func beginMap(_ name: StaticString)
  mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>)
  mutating func entry(company key: UInt16, _ bytes: Span<UInt8>)
  mutating func endMap()

  /// Opens a list of objects; a `beginItem`, its fields and `endItem` for each, then `endItems`.
  mutating func beginItems(_ name: StaticString)
  mutating func beginItem()
  mutating func endItem()
  mutating func endItems()

  /// Takes who made what the entries of a list tell of. It is no field of its own: it stands for the
  /// company where manufacturer data names none.
  mutating func maker(_ company: CompanyIdentifier)
}

extension FieldWriter {
  package mutating func maker(_ company: CompanyIdentifier) {}
}
