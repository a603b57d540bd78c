import Bluetooth

/// Gathers the values of chosen fields, for filters and columns. A field can have several values: a
/// list has, and so has a field that stands in several `beacons` entries.
struct FieldCollector: FieldWriter {
  /// The chosen names, in the order of `values`.
  let names: [String]
  private(set) var values: [[FieldValue]]
  private var isInItem = false
  /// Where elements and entries go: an index into `names`.
  private var open: Int?
  private var openMap: StaticString?

  init(names: [String]) {
    self.names = names
    values = Array(repeating: [], count: names.count)
  }

  /// Forgets the values, for the next report.
  mutating func reset() {
    for index in values.indices { values[index].removeAll(keepingCapacity: true) }
  }

  /// A name that is known at the top level means that field only.
  private func index(_ name: StaticString) -> Int? {
    guard let index = names.firstIndex(where: { $0 == name }) else { return nil }
    return isInItem && AdvertisementDocument.names.contains(names[index]) ? nil : index
  }

  private mutating func put(_ name: StaticString, _ value: @autoclosure () -> FieldValue) {
    if let index = index(name) { values[index].append(value()) }
  }

  mutating func string(_ name: StaticString, _ value: String) { put(name, .text(value)) }
  mutating func string(_ name: StaticString, _ value: StaticString) {
    put(name, .text(value.description))
  }
  mutating func integer(_ name: StaticString, _ value: Int64) { put(name, .number(Double(value))) }
  mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int) {
    put(name, .number(DecimalText.number(value, digits: digits)))
  }
  mutating func boolean(_ name: StaticString, _ value: Bool) { put(name, .boolean(value)) }
  mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>) {
    put(name, .text(FieldCollector.hex(bytes)))
  }
  mutating func address(_ name: StaticString, _ address: BluetoothAddress) {
    put(name, .text(address.description))
  }
  mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID) {
    put(name, .text(uuid.description))
  }

  mutating func beginList(_ name: StaticString) { open = index(name) }
  mutating func element(_ uuid: BluetoothUUID) {
    if let open { values[open].append(.text(uuid.description)) }
  }
  mutating func element(_ text: String) { if let open { values[open].append(.text(text)) } }
  mutating func endList() { open = nil }

  /// The entries of a map have names of their own: `serviceData.FEAA`.
  mutating func beginMap(_ name: StaticString) { openMap = name }
  mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>) {
    entry(key.description, bytes)
  }
  mutating func entry(company key: UInt16, _ bytes: Span<UInt8>) {
    entry(Hex.lower([UInt8(key >> 8), UInt8(key & 0xFF)]), bytes)
  }
  private mutating func entry(_ key: String, _ bytes: Span<UInt8>) {
    guard let openMap else { return }
    let map = openMap.description
    for (index, name) in names.enumerated() where name == map || name == "\(map).\(key)" {
      let text = FieldCollector.hex(bytes)
      values[index].append(.text(name == map ? "\(key):\(text)" : text))
    }
  }
  mutating func endMap() { openMap = nil }

  mutating func beginItems(_ name: StaticString) {}
  mutating func beginItem() { isInItem = true }
  mutating func endItem() { isInItem = false }
  mutating func endItems() {}

  private static func hex(_ bytes: Span<UInt8>) -> String {
    Hex.lower((0..<bytes.count).map { bytes[$0] })
  }
}

/// Compares without making a `String` of the constant.
private func == (left: String, right: StaticString) -> Bool {
  guard left.utf8.count == right.utf8CodeUnitCount else { return false }
  return right.withUTF8Buffer { constant in left.utf8.elementsEqual(constant) }
}
