import LunaCrypto

/// The bytes of hexadecimal text; for literals in these tests.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap { $0.hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}

func secret(_ text: String) -> SecretBytes {
  let bytes = hex(text)
  return SecretBytes(copying: bytes.span)
}

func array<let count: Int>(_ bytes: InlineArray<count, UInt8>) -> [UInt8] {
  bytes.indices.map { bytes[$0] }
}

func array(_ secret: SecretBytes) -> [UInt8] {
  secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
}
