/// Makes keys of the bytes that a terminal sends; sequences may come in pieces.
struct KeyDecoder: Sendable, Equatable {
  /// More than any sequence that a key sends.
  private static let longest = 32
  private var pending: [UInt8] = []
  /// What the last byte begins, where it also ended a key.
  private var carried: [UInt8] = []

  /// Whether bytes are waiting for more; an Escape among them is a key of its own once nothing
  /// follows for a moment.
  var isWaiting: Bool { !pending.isEmpty }

  /// The keys that are complete with these bytes.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      pending.append(byte)
      if let key = complete() {
        pending = carried
        carried = []
        keys.append(key)
      } else if pending.count >= Self.longest {
        pending.removeAll(keepingCapacity: true)
      }
    }
    return keys
  }

  /// What the waiting bytes mean when nothing follows.
  mutating func flush() -> [Key] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending == [0x1B] ? [.escape] : []
  }

  /// The key of the pending bytes, nil while it needs more.
  private mutating func complete() -> Key? {
    let first = pending[0]
    if first == 0x1B { return escape() }
    if first < 0x20 || first == 0x7F { return control(first) }
    if first < 0x80 { return .character(Character(Unicode.Scalar(first))) }
    return utf8(first)
  }

  private func control(_ byte: UInt8) -> Key {
    switch byte {
    case 0x0D, 0x0A: .enter
    case 0x09: .tab
    case 0x08, 0x7F: .backspace
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    default: .other
    }
  }

  private mutating func utf8(_ first: UInt8) -> Key? {
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    if pending.count > 1, pending[pending.count - 1] & 0xC0 != 0x80 {
      // The sequence was broken off; the last byte begins something new.
      pending = [pending[pending.count - 1]]
      return complete()
    }
    if pending.count < length { return nil }
    guard length > 1, let character = String(validating: pending, as: UTF8.self)?.first else {
      return .other
    }
    return .character(character)
  }

  private mutating func escape() -> Key? {
    guard pending.count > 1 else { return nil }
    let last = pending[pending.count - 1]
    switch pending[1] {
    case 0x1B:
      // Escape twice: the first was a key.
      carried = [0x1B]
      return .escape
    case UInt8(ascii: "O"):
      return pending.count == 2 ? nil : named(last, "")
    case UInt8(ascii: "["):
      if pending.count == 2 || (0x20...0x3F).contains(last) { return nil }
      let parameters = pending[2..<(pending.count - 1)].prefix { $0 != UInt8(ascii: ";") }
      return named(last, String(decoding: parameters, as: UTF8.self))
    default:
      // Alt with a key.
      return .other
    }
  }

  private func named(_ final: UInt8, _ parameter: String) -> Key {
    switch (Character(Unicode.Scalar(final)), parameter) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("~", "3"): .delete
    case ("~", "5"): .pageUp
    case ("~", "6"): .pageDown
    case ("M", ""): .enter
    default: .other
    }
  }
}
