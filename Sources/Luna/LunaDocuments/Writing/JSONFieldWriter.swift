import Bluetooth
import SafeText

/// Writes fields as JSON text (RFC 8259) into an output buffer, without allocating.
struct JSONFieldWriter: FieldWriter {
  let buffer: OutputBuffer
  private var first: Bool

  /// - Parameter continuing: Whether a member stands before the first one written here.
  init(_ buffer: OutputBuffer, continuing: Bool) {
    self.buffer = buffer
    first = !continuing
  }

  @inline(__always)
  private mutating func separate() {
    if !first { buffer.append(UInt8(ascii: ",")) }
    first = false
  }

  @inline(__always)
  private mutating func name(_ name: StaticString) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    buffer.append(name)
    buffer.append("\":")
  }

  mutating func string(_ name: StaticString, _ value: String) {
    self.name(name)
    quoted(value)
  }

  mutating func string(_ name: StaticString, _ value: StaticString) {
    self.name(name)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(value)
    buffer.append(UInt8(ascii: "\""))
  }

  mutating func text(_ name: StaticString, _ value: ForeignText) { string(name, value.raw) }

  mutating func integer(_ name: StaticString, _ value: Int64) {
    self.name(name)
    buffer.append(decimal: value)
  }

  /// A member whose name is a text, such as a reason for losses.
  mutating func integer(named name: String, _ value: Int64) {
    separate()
    quoted(name)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(decimal: value)
  }

  mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int) {
    self.name(name)
    buffer.append(text: DecimalText.text(value, digits: digits))
  }

  mutating func boolean(_ name: StaticString, _ value: Bool) {
    self.name(name)
    buffer.append(value ? "true" : "false")
  }

  /// A member that is known to be nothing.
  mutating func null(_ name: StaticString) {
    self.name(name)
    buffer.append("null")
  }

  /// Opens an object; its fields, then `endItem`.
  mutating func beginItem(_ name: StaticString) {
    self.name(name)
    buffer.append(UInt8(ascii: "{"))
    first = true
  }

  mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>) {
    self.name(name)
    quoted(hex: bytes)
  }

  mutating func address(_ name: StaticString, _ address: BluetoothAddress) {
    self.name(name)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(address)
    buffer.append(UInt8(ascii: "\""))
  }

  mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID) {
    self.name(name)
    quoted(uuid)
  }

  mutating func beginList(_ name: StaticString) {
    self.name(name)
    buffer.append(UInt8(ascii: "["))
    first = true
  }

  mutating func element(_ uuid: BluetoothUUID) {
    separate()
    quoted(uuid)
  }

  mutating func element(_ text: String) {
    separate()
    quoted(text)
  }

  mutating func endList() {
    buffer.append(UInt8(ascii: "]"))
    first = false
  }

  mutating func beginMap(_ name: StaticString) {
    self.name(name)
    buffer.append(UInt8(ascii: "{"))
    first = true
  }

  mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>) {
    separate()
    quoted(key)
    buffer.append(UInt8(ascii: ":"))
    quoted(hex: bytes)
  }

  mutating func entry(company key: UInt16, _ bytes: Span<UInt8>) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    let digits: InlineArray<2, UInt8> = [UInt8(key >> 8), UInt8(key & 0xFF)]
    buffer.append(hex: digits.span)
    buffer.append("\":")
    quoted(hex: bytes)
  }

  mutating func endMap() {
    buffer.append(UInt8(ascii: "}"))
    first = false
  }

  mutating func beginItems(_ name: StaticString) { beginList(name) }

  mutating func beginItem() {
    separate()
    buffer.append(UInt8(ascii: "{"))
    first = true
  }

  mutating func endItem() { endMap() }
  mutating func endItems() { endList() }

  private func quoted(hex bytes: Span<UInt8>) {
    buffer.append(UInt8(ascii: "\""))
    buffer.append(hex: bytes)
    buffer.append(UInt8(ascii: "\""))
  }

  private func quoted(_ uuid: BluetoothUUID) {
    buffer.append(UInt8(ascii: "\""))
    buffer.append(uuid)
    buffer.append(UInt8(ascii: "\""))
  }

  private func quoted(_ text: String) {
    buffer.append(UInt8(ascii: "\""))
    buffer.append(jsonEscaped: text)
    buffer.append(UInt8(ascii: "\""))
  }
}
