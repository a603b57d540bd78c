/// A value in a D-Bus message (D-Bus Specification, "Type System").
public indirect enum BusValue: Hashable, Sendable {
  /// `y`
  case byte(UInt8)
  /// `b`
  case bool(Bool)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `x`
  case int64(Int64)
  /// `t`
  case uint64(UInt64)
  /// `d`
  case double(Double)
  /// `s`
  case string(String)
  /// `o`
  case objectPath(String)
  /// `g`
  case signature(String)
  /// `ay`
  case bytes([UInt8])
  /// An array of anything else but bytes and dictionary entries; an empty one is sent as `as`.
  case array([BusValue])
  /// A structure.
  case structure([BusValue])
  /// A dictionary, in its order; an empty one is sent as `a{sv}`.
  case dictionary([BusEntry])
  /// `v`
  case variant(BusValue)

  /// An entry of a dictionary.
  public struct BusEntry: Hashable, Sendable {
    /// The key: a basic value.
    public let key: BusValue
    /// What the key stands for, of any type.
    public let value: BusValue

    /// An entry; the key is to be a basic value, which is not checked here.
    public init(_ key: BusValue, _ value: BusValue) {
      self.key = key
      self.value = value
    }
  }

  /// A dictionary `a{sv}`, in the order given.
  public static func properties(_ entries: KeyValuePairs<String, BusValue>) -> BusValue {
    .dictionary(entries.map { BusEntry(.string($0.key), .variant($0.value)) })
  }
}

extension BusValue {
  /// The value itself, or what the variant holds.
  public var content: BusValue {
    if case .variant(let value) = self { value.content } else { self }
  }

  /// The text of a string, an object path or a signature; also within a variant.
  public var text: String? {
    switch content {
    case .string(let text), .objectPath(let text), .signature(let text): text
    default: nil
    }
  }

  /// The truth of a boolean; also within a variant.
  public var flag: Bool? {
    if case .bool(let value) = content { value } else { nil }
  }

  /// The number of any integer type; also within a variant.
  public var integer: Int? {
    switch content {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The bytes of `ay`; also within a variant.
  public var byteArray: [UInt8]? {
    switch content {
    case .bytes(let bytes): bytes
    default: nil
    }
  }

  /// The elements of an array; also within a variant.
  public var elements: [BusValue]? {
    if case .array(let values) = content { values } else { nil }
  }

  /// The entries of a dictionary; also within a variant.
  public var entries: [BusEntry]? {
    if case .dictionary(let entries) = content { entries } else { nil }
  }

  /// The value of a dictionary whose key is the text `key`; also within a variant.
  public subscript(key: String) -> BusValue? {
    entries?.first { $0.key.text == key }?.value
  }

  /// The type, as signatures write it.
  public var typeSignature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .bytes: "ay"
    case .array(let values): "a" + (values.first?.typeSignature ?? "s")
    case .structure(let values): "(" + values.map(\.typeSignature).joined() + ")"
    case .dictionary(let entries):
      "a{"
        + (entries.first.map { $0.key.typeSignature + $0.value.typeSignature } ?? "sv") + "}"
    case .variant: "v"
    }
  }
}
