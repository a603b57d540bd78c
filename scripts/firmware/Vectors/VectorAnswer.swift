import LunaCrypto

/// The output of a case, written as ``VectorFields`` is read.
struct VectorAnswer {
  private(set) var line: [UInt8] = []
  private var isEmpty = true

  mutating func put(_ bytes: Span<UInt8>) {
    if !isEmpty { line.append(0x20) }
    isEmpty = false
    for index in bytes.indices {
      line.append(0x30 + bytes[index] >> 4)
      line.append(0x30 + (bytes[index] & 0x0F))
    }
  }

  mutating func put(secret: SecretBytes) {
    secret.withBytes { put($0) }
  }

  mutating func put(number: Int64) {
    let bits = UInt64(bitPattern: number)
    let bytes = InlineArray<8, UInt8> { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    put(bytes.span)
  }

  mutating func put(flag: Bool) { put(number: flag ? 1 : 0) }
}
