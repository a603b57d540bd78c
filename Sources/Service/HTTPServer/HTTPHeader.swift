/// A header field as it came: nothing decoded, joined or taken away.
public struct HTTPHeader: Hashable, Sendable {
  /// Its name in the case in which it was sent; see ``isNamed(_:)``.
  public let name: [UInt8]
  /// Its value, with what is around it.
  public let value: [UInt8]

  /// A field of these bytes, which may be any: nothing is checked.
  public init(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
    self.name = Array(name)
    self.value = Array(value)
  }

  /// Whether it has this name, in whatever case; `name` is in lower case.
  public func isNamed(_ name: StaticString) -> Bool {
    guard self.name.count == name.utf8CodeUnitCount else { return false }
    return self.name.indices.allSatisfy { index in
      let byte = self.name[index]
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      return (isUpper ? byte | 0x20 : byte) == name.utf8Start[index]
    }
  }

  /// The value as text, without blanks around it.
  public var text: String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
    let end = (value.lastIndex { !isBlank($0) } ?? value.endIndex - 1) + 1
    return start < end ? String(decoding: value[start..<end], as: UTF8.self) : ""
  }
}
