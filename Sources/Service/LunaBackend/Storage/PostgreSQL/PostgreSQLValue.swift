import LunaCore
import LunaProtocol

/// A parameter of a statement in PostgreSQL's binary format.
enum PostgreSQLValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
  /// 16 bytes.
  case uuid([UInt8])
  case integers([Int32])
  case blobs([[UInt8]])
  case uuids([[UInt8]])
  case texts([String?])

  // Numbers of types (catalog pg_type, which never change).
  private static let (int8, int4, text, bytea): (UInt32, UInt32, UInt32, UInt32) =
    (20, 23, 25, 17)
  private static let (float8, uuid, uuidArray): (UInt32, UInt32, UInt32) = (701, 2950, 2951)
  private static let (int4Array, textArray, byteaArray): (UInt32, UInt32, UInt32) =
    (1007, 1009, 1001)

  /// The number of the type; 0 lets the server decide.
  var type: UInt32 {
    switch self {
    case .null: 0
    case .integer: Self.int8
    case .real: Self.float8
    case .text: Self.text
    case .bytes: Self.bytea
    case .uuid: Self.uuid
    case .integers: Self.int4Array
    case .blobs: Self.byteaArray
    case .uuids: Self.uuidArray
    case .texts: Self.textArray
    }
  }

  /// The bytes; nil for NULL.
  var encoded: [UInt8]? {
    switch self {
    case .null: nil
    case .integer(let value): Self.bigEndian(value)
    case .real(let value): Self.bigEndian(value.bitPattern)
    case .text(let value): Self.utf8(value)
    case .bytes(let value), .uuid(let value): value
    case .integers(let values): Self.array(values.map { Self.bigEndian($0) }, of: Self.int4)
    case .blobs(let values): Self.array(values, of: Self.bytea)
    case .uuids(let values): Self.array(values, of: Self.uuid)
    case .texts(let values): Self.array(values.map { $0.map { Self.utf8($0) } }, of: Self.text)
    }
  }

  /// There is no U+0000 in its texts: U+FFFD stands for it.
  private static func utf8(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes.contains(0) ? bytes.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] } : bytes
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// One dimension: dimensions, whether there are NULLs, type, length, lower bound, elements.
  private static func array(_ elements: [[UInt8]?], of type: UInt32) -> [UInt8] {
    let hasNull: Int32 = elements.contains { $0 == nil } ? 1 : 0
    var bytes = bigEndian(Int32(1)) + bigEndian(hasNull) + bigEndian(type)
    bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1))
    bytes.reserveCapacity(elements.reduce(bytes.count) { $0 + 4 + ($1?.count ?? 0) })
    for element in elements {
      bytes += bigEndian(Int32(element.map(\.count) ?? -1))
      if let element { bytes += element }
    }
    return bytes
  }
}
