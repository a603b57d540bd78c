/// A line of the console, of names and values. It never holds a key.
struct ConsoleLine {
  private(set) var bytes: [UInt8]

  /// A line that says what follows.
  init(_ subject: String) { bytes = Array(subject.utf8) }

  /// The line with its end.
  var ended: [UInt8] { bytes + [0x0D, 0x0A] }

  mutating func add(_ text: String) {
    bytes.append(0x20)
    bytes += Array(text.utf8)
  }

  mutating func add(_ name: String, _ text: String) {
    add(name)
    bytes.append(0x3D)
    bytes += Array(text.utf8)
  }

  mutating func add(_ name: String, _ number: UInt64) {
    add(name)
    bytes.append(0x3D)
    var digits: [UInt8] = []
    var rest = number
    repeat {
      digits.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    for digit in digits.reversed() { bytes.append(digit) }
  }
}
