import LunaJSON

/// Makes JSON of a state. Members are in the order of their names: the same state gives the same bytes.
struct StateEncoder: Encoder {
  /// Where a value goes to.
  final class Slot {
    var value: JSONValue?
    var members: [String: Slot]?
    var elements: [Slot]?

    var json: JSONValue {
      if let members {
        var object = JSONObject()
        for (name, slot) in members.sorted(by: { $0.key < $1.key }) {
          object.append(name, slot.json)
        }
        return .object(object)
      }
      return elements.map { .array($0.map(\.json)) } ?? value ?? .null
    }
  }

  let slot: Slot
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func json(_ value: some Encodable) throws -> JSONValue {
    let slot = Slot()
    try value.encode(to: StateEncoder(slot: slot))
    return slot.json
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.members = slot.members ?? [:]
    return KeyedEncodingContainer(Keyed(slot: slot))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.elements = slot.elements ?? []
    return Unkeyed(slot: slot)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(slot: slot) }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: Slot
    var codingPath: [any CodingKey] { [] }

    private func next(_ key: Key) -> Slot {
      let inner = Slot()
      slot.members?[key.stringValue] = inner
      return inner
    }

    func encodeNil(forKey key: Key) throws {}
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try value.encode(to: StateEncoder(slot: next(key)))
    }
    func nestedContainer<Inner: CodingKey>(
      keyedBy keyType: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> { StateEncoder(slot: next(key)).container(keyedBy: keyType) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      StateEncoder(slot: next(key)).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { StateEncoder(slot: slot) }
    func superEncoder(forKey key: Key) -> any Encoder { StateEncoder(slot: next(key)) }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let slot: Slot
    var codingPath: [any CodingKey] { [] }
    var count: Int { slot.elements?.count ?? 0 }

    private func next() -> Slot {
      let inner = Slot()
      slot.elements?.append(inner)
      return inner
    }

    func encodeNil() throws { next().value = .null }
    func encode<Value: Encodable>(_ value: Value) throws {
      try value.encode(to: StateEncoder(slot: next()))
    }
    func nestedContainer<Inner: CodingKey>(
      keyedBy keyType: Inner.Type
    ) -> KeyedEncodingContainer<Inner> { StateEncoder(slot: next()).container(keyedBy: keyType) }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      StateEncoder(slot: next()).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { StateEncoder(slot: next()) }
  }

  private struct Single: SingleValueEncodingContainer {
    let slot: Slot
    var codingPath: [any CodingKey] { [] }

    func encodeNil() throws { slot.value = .null }
    func encode(_ value: Bool) throws { slot.value = .bool(value) }
    func encode(_ value: String) throws { slot.value = .string(value) }
    func encode(_ value: Double) throws { slot.value = .real(value) }
    func encode(_ value: Float) throws { slot.value = .real(Double(value)) }
    func encode(_ value: Int) throws { slot.value = .integer(Int64(value)) }
    func encode(_ value: Int8) throws { slot.value = .integer(Int64(value)) }
    func encode(_ value: Int16) throws { slot.value = .integer(Int64(value)) }
    func encode(_ value: Int32) throws { slot.value = .integer(Int64(value)) }
    func encode(_ value: Int64) throws { slot.value = .integer(value) }
    func encode(_ value: UInt) throws { slot.value = .integer(Int64(clamping: value)) }
    func encode(_ value: UInt8) throws { slot.value = .integer(Int64(value)) }
    func encode(_ value: UInt16) throws { slot.value = .integer(Int64(value)) }
    func encode(_ value: UInt32) throws { slot.value = .integer(Int64(value)) }
    func encode(_ value: UInt64) throws { slot.value = .integer(Int64(clamping: value)) }
    func encode<Value: Encodable>(_ value: Value) throws {
      try value.encode(to: StateEncoder(slot: slot))
    }
  }
}
