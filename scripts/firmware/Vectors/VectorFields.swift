import LunaCrypto
import LunaProtocol

/// The input of a case: fields in their order with a space between them, each in digits of four bits, `0` to `?` as
/// they follow each other in ASCII. No letters, since for some ports those press a button. `~` is a field that is not
/// there.
struct VectorFields {
  private let fields: [[UInt8]?]
  private var next = 0

  /// Reads a line; nil when it is none of these.
  init?(_ line: [UInt8]) {
    var fields: [[UInt8]?] = []
    var bytes: [UInt8] = []
    var isThere = true
    var high: UInt8?
    for letter in line {
      switch letter {
      case 0x20:
        fields.append(isThere ? bytes : nil)
        bytes = []
        isThere = true
      case 0x30...0x3F:
        if let digit = high {
          bytes.append(digit << 4 | (letter & 0x0F))
          high = nil
        } else {
          high = letter & 0x0F
        }
      case 0x7E: isThere = false
      default: return nil
      }
    }
    guard high == nil else { return nil }
    fields.append(isThere ? bytes : nil)
    self.fields = fields
  }

  /// The next field, where it is there.
  mutating func optionalBytes() throws(VectorFault) -> [UInt8]? {
    guard next < fields.count else { throw .input }
    next += 1
    return fields[next - 1]
  }

  mutating func bytes() throws(VectorFault) -> [UInt8] {
    guard let bytes = try optionalBytes() else { throw .input }
    return bytes
  }

  /// So many bytes.
  mutating func array<let count: Int>() throws(VectorFault) -> InlineArray<count, UInt8> {
    let bytes = try bytes()
    guard bytes.count == count else { throw .input }
    return InlineArray { bytes[$0] }
  }

  /// A number, which has eight bytes, the first one most significant.
  mutating func number() throws(VectorFault) -> Int64 {
    let bytes: InlineArray<8, UInt8> = try array()
    var bits: UInt64 = 0
    for index in bytes.indices { bits = bits << 8 | UInt64(bytes[index]) }
    return Int64(bitPattern: bits)
  }

  mutating func flag() throws(VectorFault) -> Bool { try number() != 0 }

  mutating func secret() throws(VectorFault) -> SecretBytes {
    let bytes = try bytes()
    return SecretBytes(copying: bytes.span)
  }

  mutating func masterKey() throws(VectorFault) -> MasterKey {
    guard let key = MasterKey(try secret()) else { throw .input }
    return key
  }

  mutating func code() throws(VectorFault) -> OnboardingCode {
    guard let code = OnboardingCode(try secret()) else { throw .input }
    return code
  }

  /// The two halves of 16 bytes.
  mutating func halves() throws(VectorFault) -> (high: UInt64, low: UInt64) {
    let bytes: InlineArray<16, UInt8> = try array()
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    for index in 0..<8 {
      halves.high = halves.high << 8 | UInt64(bytes[index])
      halves.low = halves.low << 8 | UInt64(bytes[index + 8])
    }
    return halves
  }
}
