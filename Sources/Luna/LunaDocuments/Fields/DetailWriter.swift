import Bluetooth
import SafeText

/// Writes fields as the lines of the table's details pane; a line that is there already is not
/// repeated.
struct DetailWriter: FieldWriter {
  private(set) var details: [TableRow.Detail] = []
  private var list: (name: StaticString, values: [String])?
  private var map: StaticString?

  mutating func add(_ label: String, _ value: String) {
    let detail = TableRow.Detail(label: label, value: value)
    if !details.contains(detail) { details.append(detail) }
  }

  private mutating func add(_ name: StaticString, _ value: String) { add(name.description, value) }

  mutating func string(_ name: StaticString, _ value: String) { add(name, value) }
  mutating func string(_ name: StaticString, _ value: StaticString) {
    add(name, value.description)
  }
  mutating func text(_ name: StaticString, _ value: ForeignText) { add(name, "\(value)") }
  mutating func integer(_ name: StaticString, _ value: Int64) { add(name, String(value)) }
  mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int) {
    add(name, DecimalText.text(value, digits: digits))
  }
  mutating func boolean(_ name: StaticString, _ value: Bool) { add(name, value ? "yes" : "no") }
  mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>) {
    add(name, DetailWriter.hex(bytes))
  }
  mutating func address(_ name: StaticString, _ address: BluetoothAddress) {
    add(name, address.description)
  }
  mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID) { add(name, uuid.description) }

  mutating func beginList(_ name: StaticString) { list = (name, []) }
  mutating func element(_ uuid: BluetoothUUID) {
    let name = uuid.serviceName
    element(name.map { "\(uuid) \($0)" } ?? uuid.description)
  }
  mutating func element(_ text: String) { list?.values.append(text) }
  mutating func endList() {
    if let list { add(list.name, list.values.joined(separator: ", ")) }
    list = nil
  }

  mutating func beginMap(_ name: StaticString) { map = name }
  mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>) {
    entry(key.description, bytes)
  }
  mutating func entry(company key: UInt16, _ bytes: Span<UInt8>) {
    let digits = Hex.lower([UInt8(key >> 8), UInt8(key & 0xFF)])
    entry(CompanyIdentifier(rawValue: key).name.map { "\(digits) \($0)" } ?? digits, bytes)
  }
  private mutating func entry(_ key: String, _ bytes: Span<UInt8>) {
    if let map { add(map, "\(key): \(DetailWriter.hex(bytes))") }
  }
  mutating func endMap() { map = nil }

  mutating func beginItems(_ name: StaticString) {}
  mutating func beginItem() {}
  mutating func endItem() {}
  mutating func endItems() {}

  private static func hex(_ bytes: Span<UInt8>) -> String {
    Hex.lower((0..<bytes.count).map { bytes[$0] })
  }
}
