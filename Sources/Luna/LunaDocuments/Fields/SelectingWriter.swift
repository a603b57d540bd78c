package import Bluetooth
package import SafeText

/// Passes on the chosen fields only. A field of `beacons` entries
/// brings the entries with it, each with its family and that field.
package struct SelectingWriter<Inner: FieldWriter>: FieldWriter {
  package var inner: Inner
  private let top: Set<String>
  private let items: Set<String>
  /// Chosen keys of maps, by the map.
  private let entries: [String: Set<String>]
  private var isInItems = false
  /// Whether entries of `beacons` go by that nobody asked for.
  private var skipsItems = false
  private var isOpen = false
  private var openMap = ""
  /// Who made it, where that is asked for.
  private var company: String?

  package init(_ inner: Inner, fields: [FieldReference]) {
    self.inner = inner
    top = Set(fields.filter { $0.place == .top }.map(\.name))
    items = Set(fields.filter { $0.place == .item }.map(\.name))
    var entries: [String: Set<String>] = [:]
    for field in fields {
      if case .entry(let key) = field.place { entries[field.name, default: []].insert(key) }
    }
    self.entries = entries
  }

  private func passes(_ name: StaticString) -> Bool {
    let name = name.description
    if skipsItems { return false }
    guard isInItems else { return top.contains(name) }
    return top.contains("beacons") || name == "beacon" || items.contains(name)
  }

  package mutating func string(_ name: StaticString, _ value: String) {
    if passes(name) { inner.string(name, value) }
  }
  package mutating func string(_ name: StaticString, _ value: StaticString) {
    if passes(name) { inner.string(name, value) }
  }
  package mutating func text(_ name: StaticString, _ value: ForeignText) {
    if passes(name) { inner.text(name, value) }
  }
  package mutating func integer(_ name: StaticString, _ value: Int64) {
    if passes(name) { inner.integer(name, value) }
  }
  package mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int) {
    if passes(name) { inner.decimal(name, value, digits: digits) }
  }
  package mutating func boolean(_ name: StaticString, _ value: Bool) {
    if passes(name) { inner.boolean(name, value) }
  }
  package mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>) {
    if passes(name) { inner.hex(name, bytes) }
  }
  package mutating func address(_ name: StaticString, _ address: BluetoothAddress) {
    if passes(name) { inner.address(name, address) }
  }
  package mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID) {
    if passes(name) { inner.uuid(name, uuid) }
  }

  package mutating func beginList(_ name: StaticString) {
    isOpen = passes(name)
    if isOpen { inner.beginList(name) }
  }
  package mutating func element(_ uuid: BluetoothUUID) { if isOpen { inner.element(uuid) } }
  package mutating func element(_ text: String) { if isOpen { inner.element(text) } }
  package mutating func endList() { if isOpen { inner.endList() } }

  package mutating func beginMap(_ name: StaticString) {
    openMap = name.description
    isOpen = passes(name) || entries[openMap] != nil
    if isOpen { inner.beginMap(name) }
  }

  private func passes(entry key: String) -> Bool {
    isOpen && (top.contains(openMap) || entries[openMap]?.contains(key) == true)
  }

  package mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>) {
    if passes(entry: key.description) { inner.entry(key, bytes) }
  }
  package mutating func entry(company key: UInt16, _ bytes: Span<UInt8>) {
    maker(CompanyIdentifier(key))
    let text = Hex.lower([UInt8(key >> 8), UInt8(key & 0xFF)])
    if passes(entry: text) { inner.entry(company: key, bytes) }
  }
  package mutating func endMap() {
    if isOpen { inner.endMap() }
  }

  package mutating func beginItems(_ name: StaticString) {
    isInItems = top.contains(name.description) || !items.isEmpty
    skipsItems = !isInItems
    if isInItems { inner.beginItems(name) }
  }
  package mutating func beginItem() { if isInItems { inner.beginItem() } }
  package mutating func endItem() { if isInItems { inner.endItem() } }
  package mutating func endItems() {
    if isInItems { inner.endItems() }
    isInItems = false
    skipsItems = false
  }

  package mutating func maker(_ identifier: CompanyIdentifier) {
    if company == nil, top.contains("company") { company = identifier.name }
  }

  /// Writes what is known at the end only: to be called once, behind the last field.
  package mutating func finish() {
    if let company { inner.string("company", company) }
  }
}
