import Bluetooth

/// Passes on the chosen fields only (`--fields` with JSON lines). A name that is not at the top
/// level chooses a field of the `beacons` entries.
struct SelectingWriter<Inner: FieldWriter>: FieldWriter {
  var inner: Inner
  let names: Set<String>
  private var isInItems = false
  private var isOpen = false

  init(_ inner: Inner, names: Set<String>) {
    self.inner = inner
    self.names = names
  }

  private var hasItemNames: Bool { !names.isSubset(of: AdvertisementDocument.names) }

  private func passes(_ name: StaticString) -> Bool {
    let name = name.description
    if isInItems {
      return names.contains("beacons") || name == "beacon"
        || names.contains(name) && !AdvertisementDocument.names.contains(name)
    }
    return names.contains(name)
  }

  mutating func string(_ name: StaticString, _ value: String) {
    if passes(name) { inner.string(name, value) }
  }
  mutating func string(_ name: StaticString, _ value: StaticString) {
    if passes(name) { inner.string(name, value) }
  }
  mutating func integer(_ name: StaticString, _ value: Int64) {
    if passes(name) { inner.integer(name, value) }
  }
  mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int) {
    if passes(name) { inner.decimal(name, value, digits: digits) }
  }
  mutating func boolean(_ name: StaticString, _ value: Bool) {
    if passes(name) { inner.boolean(name, value) }
  }
  mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>) {
    if passes(name) { inner.hex(name, bytes) }
  }
  mutating func address(_ name: StaticString, _ address: BluetoothAddress) {
    if passes(name) { inner.address(name, address) }
  }
  mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID) {
    if passes(name) { inner.uuid(name, uuid) }
  }

  mutating func beginList(_ name: StaticString) {
    isOpen = passes(name)
    if isOpen { inner.beginList(name) }
  }
  mutating func element(_ uuid: BluetoothUUID) { if isOpen { inner.element(uuid) } }
  mutating func element(_ text: String) { if isOpen { inner.element(text) } }
  mutating func endList() { if isOpen { inner.endList() } }

  mutating func beginMap(_ name: StaticString) {
    isOpen = passes(name)
    if isOpen { inner.beginMap(name) }
  }
  mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>) {
    if isOpen { inner.entry(key, bytes) }
  }
  mutating func entry(company key: UInt16, _ bytes: Span<UInt8>) {
    if isOpen { inner.entry(company: key, bytes) }
  }
  mutating func endMap() { if isOpen { inner.endMap() } }

  mutating func beginItems(_ name: StaticString) {
    isInItems = passes(name) || hasItemNames
    if isInItems { inner.beginItems(name) }
  }
  mutating func beginItem() { if isInItems { inner.beginItem() } }
  mutating func endItem() { if isInItems { inner.endItem() } }
  mutating func endItems() {
    if isInItems { inner.endItems() }
    isInItems = false
  }
}
