package import Bluetooth
package import SafeText

/// Gathers the values of chosen fields, for filters and columns. A field can have several values: a
/// list has, and so has a field that stands in several `beacons` entries.
package struct FieldCollector: FieldWriter, Sendable {
  /// The chosen fields, each once, in the order of `values`.
  package let fields: [FieldReference]
  package private(set) var values: [[FieldValue]]
  /// Whether the field was there, be it an empty list.
  package private(set) var present: [Bool]
  private var isInItem = false
  /// Where elements go: an index into `fields`.
  private var open: Int?
  private var openMap: StaticString?
  private let company: Int?
  /// Whether the kind of a device is found under its family too, as in a filter.
  private let findsDeviceTypes: Bool

  package init(_ fields: [FieldReference], findsDeviceTypes: Bool = false) {
    self.fields = fields
    self.findsDeviceTypes = findsDeviceTypes
    values = Array(repeating: [], count: fields.count)
    present = Array(repeating: false, count: fields.count)
    company = fields.firstIndex { $0.kind == .company }
  }

  /// Forgets the values, for the next report.
  package mutating func reset() {
    for index in values.indices {
      values[index].removeAll(keepingCapacity: true)
      present[index] = false
    }
  }

  private func index(_ name: StaticString) -> Int? {
    let place = isInItem ? FieldReference.Place.item : .top
    return fields.firstIndex { $0.name == name && $0.place == place }
  }

  private mutating func put(_ name: StaticString, _ value: @autoclosure () -> FieldValue) {
    if let index = index(name) { put(value(), at: index) }
  }

  private mutating func put(_ value: FieldValue, at index: Int) {
    values[index].append(value)
    present[index] = true
  }

  package mutating func string(_ name: StaticString, _ value: String) {
    put(name, .text(value))
    // A family stands for its entry where `beacons` as a whole is asked for.
    if isInItem, let open, "beacon" == name { put(.text(value), at: open) }
  }
  package mutating func string(_ name: StaticString, _ value: StaticString) {
    put(name, .text(value.description))
    if findsDeviceTypes, isInItem, "deviceType" == name {
      put("beacon", .text(value.description))
      if let open { put(.text(value.description), at: open) }
    }
  }
  /// As it came: to compare, and for columns, which escape.
  package mutating func text(_ name: StaticString, _ value: ForeignText) {
    put(name, .text(value.raw))
  }
  package mutating func integer(_ name: StaticString, _ value: Int64) {
    put(name, .number(Double(value)))
  }
  package mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int) {
    put(name, .number(DecimalText.number(value, digits: digits)))
  }
  package mutating func boolean(_ name: StaticString, _ value: Bool) { put(name, .boolean(value)) }
  package mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>) {
    put(name, .hex(FieldCollector.hex(bytes)))
  }
  /// Hexadecimal digits that are text already.
  package mutating func digits(_ name: StaticString, _ text: String) { put(name, .hex(text)) }
  package mutating func address(_ name: StaticString, _ address: BluetoothAddress) {
    put(name, .hex(address.description))
  }
  package mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID) {
    put(name, .hex(uuid.description))
  }

  package mutating func beginList(_ name: StaticString) {
    open = index(name)
    if let open { present[open] = true }
  }
  package mutating func element(_ uuid: BluetoothUUID) {
    if let open { values[open].append(.hex(uuid.description)) }
  }
  package mutating func element(_ text: String) { if let open { values[open].append(.text(text)) } }
  package mutating func endList() { open = nil }

  /// The entries of a map have names of their own: `serviceData.FEAA`.
  package mutating func beginMap(_ name: StaticString) {
    openMap = name
    if let index = index(name) { present[index] = true }
  }
  package mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>) {
    entry(key.description, bytes)
  }
  package mutating func entry(company key: UInt16, _ bytes: Span<UInt8>) {
    entry(Hex.lower([UInt8(key >> 8), UInt8(key & 0xFF)]), bytes)
    maker(CompanyIdentifier(key))
  }
  package mutating func maker(_ identifier: CompanyIdentifier) {
    guard let company, let name = identifier.name else { return }
    if !values[company].contains(.company(name)) { put(.company(name), at: company) }
  }
  private mutating func entry(_ key: String, _ bytes: Span<UInt8>) {
    guard let openMap else { return }
    for (index, field) in fields.enumerated() where field.name == openMap {
      switch field.place {
      case .top: put(.text("\(key):\(FieldCollector.hex(bytes))"), at: index)
      case .entry(key): put(.hex(FieldCollector.hex(bytes)), at: index)
      case .entry, .item: break
      }
    }
  }
  package mutating func endMap() { openMap = nil }

  package mutating func beginItems(_ name: StaticString) {
    open = index(name)
    if let open { present[open] = true }
  }
  package mutating func beginItem() { isInItem = true }
  package mutating func endItem() { isInItem = false }
  package mutating func endItems() { open = nil }

  private static func hex(_ bytes: Span<UInt8>) -> String {
    Hex.lower((0..<bytes.count).map { bytes[$0] })
  }
}

/// Compares without making a `String` of the constant.
private func == (left: String, right: StaticString) -> Bool {
  guard left.utf8.count == right.utf8CodeUnitCount else { return false }
  return right.withUTF8Buffer { constant in left.utf8.elementsEqual(constant) }
}
