/// A header field of a request or an answer.
public struct HTTPField: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its value.
  public var value: String

  /// A header field. Whether it can be sent (RFC 9110, 5.1 and 5.5) is looked at when it is.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether it has this name, in whatever case.
  public func isNamed(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }

  /// Whether it is one line with a name (RFC 9110, 5.1 and 5.5): it cannot begin another one.
  package var isValid: Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
      && value.utf8.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
  }

  /// The fields in the lines of a head.
  static func fields(of head: UnsafeRawBufferPointer) -> [HTTPField] {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    return head.split(separator: 0x0A).compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      var value = line[(colon + 1)...].drop(while: isBlank)
      while let last = value.last, isBlank(last) { value.removeLast() }
      return HTTPField(
        String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
  }
}
