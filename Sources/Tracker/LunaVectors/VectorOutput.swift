import Bluetooth
import LunaCrypto
import LunaJSON
import LunaProtocol

extension JSONValue {
  /// What a function gives for an input that it refuses.
  static func reject(_ reason: String) -> JSONValue { ["reject": .string(reason)] }

  static func hex(_ bytes: Span<UInt8>) -> JSONValue { .string(Hex.lower(bytes)) }

  static func hex(_ bytes: [UInt8]) -> JSONValue { .hex(bytes.span) }

  static func hex<let count: Int>(_ bytes: InlineArray<count, UInt8>) -> JSONValue {
    .hex(bytes.span)
  }

  static func hex(_ secret: SecretBytes) -> JSONValue { secret.withBytes { .hex($0) } }

  static func text(_ value: some CustomStringConvertible) -> JSONValue {
    .string(value.description)
  }

  static func number(_ value: some BinaryInteger) -> JSONValue { .integer(Int64(value)) }

  /// null for nil.
  static func number(_ value: (some BinaryInteger)?) -> JSONValue {
    value.map { .integer(Int64($0)) } ?? .null
  }
}

/// Runs what may fail in libcrypto.
func crypto<Result: ~Copyable>(
  _ body: () throws(CryptoError) -> Result
) throws(VectorError) -> Result {
  do throws(CryptoError) { return try body() } catch { throw .crypto(error) }
}
