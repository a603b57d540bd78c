package import Bluetooth
package import SafeText

/// Writes fields for people, a name and a value each; what is there already is not repeated.
package struct DetailWriter: FieldWriter {
  /// A field as a person reads it.
  package struct Detail: Sendable, Equatable {
    /// What the value is, such as `manufacturerData`.
    package let label: String
    package let value: String
  }

  package private(set) var details: [Detail] = []
  private var list: (name: StaticString, values: [String])?
  private var map: StaticString?

  package init() {}

  package mutating func add(_ label: String, _ value: String) {
    let detail = Detail(label: label, value: value)
    if !details.contains(detail) { details.append(detail) }
  }

  private mutating func add(_ name: StaticString, _ value: String) { add(name.description, value) }

  package mutating func string(_ name: StaticString, _ value: String) { add(name, value) }
  package mutating func string(_ name: StaticString, _ value: StaticString) {
    add(name, value.description)
  }
  package mutating func text(_ name: StaticString, _ value: ForeignText) { add(name, "\(value)") }
  package mutating func integer(_ name: StaticString, _ value: Int64) { add(name, String(value)) }
  package mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int) {
    add(name, DecimalText.text(value, digits: digits))
  }
  package mutating func boolean(_ name: StaticString, _ value: Bool) {
    add(name, value ? "yes" : "no")
  }
  package mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>) {
    add(name, DetailWriter.hex(bytes))
  }
  package mutating func address(_ name: StaticString, _ address: BluetoothAddress) {
    add(name, address.description)
  }
  package mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID) {
    add(name, uuid.description)
  }

  package mutating func beginList(_ name: StaticString) { list = (name, []) }
  package mutating func element(_ uuid: BluetoothUUID) {
    let name = uuid.serviceName
    element(name.map { "\(uuid) \($0)" } ?? uuid.description)
  }
  package mutating func element(_ text: String) { list?.values.append(text) }
  package mutating func endList() {
    if let list { add(list.name, list.values.joined(separator: ", ")) }
    list = nil
  }

  package mutating func beginMap(_ name: StaticString) { map = name }
  package mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>) {
    entry(key.description, bytes)
  }
  package mutating func entry(company key: UInt16, _ bytes: Span<UInt8>) {
    let digits = Hex.lower([UInt8(key >> 8), UInt8(key & 0xFF)])
    entry(CompanyIdentifier(rawValue: key).name.map { "\(digits) \($0)" } ?? digits, bytes)
  }
  private mutating func entry(_ key: String, _ bytes: Span<UInt8>) {
    if let map { add(map, "\(key): \(DetailWriter.hex(bytes))") }
  }
  package mutating func endMap() { map = nil }

  package mutating func beginItems(_ name: StaticString) {}
  package mutating func beginItem() {}
  package mutating func endItem() {}
  package mutating func endItems() {}

  private static func hex(_ bytes: Span<UInt8>) -> String {
    Hex.lower((0..<bytes.count).map { bytes[$0] })
  }
}
