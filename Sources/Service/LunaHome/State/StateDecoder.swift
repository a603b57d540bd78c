import LunaJSON

/// Reads what `StateEncoder` has written.
struct StateDecoder: Decoder {
  let value: JSONValue
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func read<Value: Decodable>(_ type: Value.Type, _ json: JSONValue) throws -> Value {
    try Value(from: StateDecoder(value: json))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else {
      throw FormatError("the state", "is not an object")
    }
    let members = Dictionary(object.members.map { ($0.name, $0.value) }) { $1 }
    return KeyedDecodingContainer(Keyed(members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw FormatError("the state", "is not a list") }
    return Unkeyed(elements: elements)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(value: value) }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    private func next(_ key: Key) throws -> StateDecoder {
      guard let value = members[key.stringValue] else {
        throw FormatError(key.stringValue, "is missing")
      }
      return StateDecoder(value: value)
    }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try next(key).value == .null }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try Value(from: next(key))
    }
    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> { try next(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try next(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { throw FormatError("the state", "has no super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { try next(key) }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(elements: [JSONValue]) { self.elements = elements }

    private mutating func next() throws -> StateDecoder {
      guard !isAtEnd else { throw FormatError("the state", "has a list that is too short") }
      defer { currentIndex += 1 }
      return StateDecoder(value: elements[currentIndex])
    }

    mutating func decodeNil() throws -> Bool {
      guard !isAtEnd, elements[currentIndex] == .null else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try Value(from: next())
    }
    mutating func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> { try next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { try next() }
  }

  private struct Single: SingleValueDecodingContainer {
    let value: JSONValue
    var codingPath: [any CodingKey] { [] }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
      guard case .integer(let number) = value, let fitting = Value(exactly: number) else {
        throw FormatError("the state", "has no whole number where one should be")
      }
      return fitting
    }

    func decodeNil() -> Bool { value == .null }
    func decode(_ type: Bool.Type) throws -> Bool {
      guard case .bool(let value) = value else { throw FormatError("the state", "has no bool") }
      return value
    }
    func decode(_ type: String.Type) throws -> String {
      guard case .string(let value) = value else { throw FormatError("the state", "has no text") }
      return value
    }
    func decode(_ type: Double.Type) throws -> Double {
      switch value {
      case .real(let value): return value
      case .integer(let value): return Double(value)
      default: throw FormatError("the state", "has no number")
      }
    }
    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 {
      let number = try integer(type)
      // Some thousand years in microseconds: sums of some of them are numbers, and ten times one is. The largest one
      // stands for never.
      guard number == .max || number.magnitude <= 1 << 58 else {
        throw FormatError("the state", "has a number that is too large")
      }
      return number
    }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try Value(from: StateDecoder(value: value))
    }
  }
}
