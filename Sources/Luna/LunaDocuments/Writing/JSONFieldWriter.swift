package import Bluetooth
package import SafeText

/// Writes fields as JSON text (RFC 8259) into an output buffer, without allocating.
package struct JSONFieldWriter: FieldWriter {
  package let buffer: OutputBuffer
  private var first: Bool

  /// Opens an object that stands on a line of its own, of a type that readers tell it by; its
  /// fields, then ``endLine()``.
  @inline(__always)
  package init(_ type: StaticString, in buffer: OutputBuffer) {
    self.buffer = buffer
    buffer.append("{\"type\":\"")
    buffer.append(type)
    buffer.append(UInt8(ascii: "\""))
    first = false
  }

  /// Goes on with an object that was opened before, behind its last member.
  @inline(__always)
  init(continuing buffer: OutputBuffer) {
    self.buffer = buffer
    first = false
  }

  /// Closes the object, and its line.
  @inline(__always)
  package func endLine() { buffer.append("}\n") }

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

  package mutating func string(_ name: StaticString, _ value: String) {
    self.name(name)
    quoted(value)
  }

  package mutating func string(_ name: StaticString, _ value: StaticString) {
    self.name(name)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(value)
    buffer.append(UInt8(ascii: "\""))
  }

  package mutating func text(_ name: StaticString, _ value: ForeignText) { string(name, value.raw) }

  package mutating func integer(_ name: StaticString, _ value: Int64) {
    self.name(name)
    buffer.append(decimal: value)
  }

  /// A member whose name is a text, such as a reason for losses.
  package mutating func integer(named name: String, _ value: Int64) {
    separate()
    quoted(name)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(decimal: value)
  }

  package mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int) {
    self.name(name)
    buffer.append(text: DecimalText.text(value, digits: digits))
  }

  package mutating func boolean(_ name: StaticString, _ value: Bool) {
    self.name(name)
    buffer.append(value ? "true" : "false")
  }

  /// A member that is known to be nothing.
  package mutating func null(_ name: StaticString) {
    self.name(name)
    buffer.append("null")
  }

  /// Opens an object; its fields, then `endItem`.
  package mutating func beginItem(_ name: StaticString) {
    self.name(name)
    buffer.append(UInt8(ascii: "{"))
    first = true
  }

  package mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>) {
    self.name(name)
    quoted(hex: bytes)
  }

  package mutating func address(_ name: StaticString, _ address: BluetoothAddress) {
    self.name(name)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(address)
    buffer.append(UInt8(ascii: "\""))
  }

  package mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID) {
    self.name(name)
    quoted(uuid)
  }

  package mutating func beginList(_ name: StaticString) {
    self.name(name)
    buffer.append(UInt8(ascii: "["))
    first = true
  }

  package mutating func element(_ uuid: BluetoothUUID) {
    separate()
    quoted(uuid)
  }

  package mutating func element(_ text: String) {
    separate()
    quoted(text)
  }

  package mutating func endList() {
    buffer.append(UInt8(ascii: "]"))
    first = false
  }

  package mutating func beginMap(_ name: StaticString) {
    self.name(name)
    buffer.append(UInt8(ascii: "{"))
    first = true
  }

  package mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>) {
    separate()
    quoted(key)
    buffer.append(UInt8(ascii: ":"))
    quoted(hex: bytes)
  }

  package mutating func entry(company key: UInt16, _ bytes: Span<UInt8>) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    let digits: InlineArray<2, UInt8> = [UInt8(key >> 8), UInt8(key & 0xFF)]
    buffer.append(hex: digits.span)
    buffer.append("\":")
    quoted(hex: bytes)
  }

  package mutating func endMap() {
    buffer.append(UInt8(ascii: "}"))
    first = false
  }

  package mutating func beginItems(_ name: StaticString) { beginList(name) }

  package mutating func beginItem() {
    separate()
    buffer.append(UInt8(ascii: "{"))
    first = true
  }

  package mutating func endItem() { endMap() }
  package mutating func endItems() { endList() }

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

extension OutputBuffer {
  /// Appends an object on a line of its own: its type, and the fields that `body` writes.
  package func appendLine(
    _ type: StaticString, _ body: (inout JSONFieldWriter) throws -> Void
  ) rethrows {
    var writer = JSONFieldWriter(type, in: self)
    try body(&writer)
    writer.endLine()
  }
}
