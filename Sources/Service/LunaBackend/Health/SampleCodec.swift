/// The bytes of a sample in the database: which fields there are, in three bytes, and each as a number of
/// variable length.
enum SampleCodec {
  private static let maskCount = 3

  static func encode(_ sample: StoredSample) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: maskCount)
    for field in SampleField.allCases {
      guard let value = sample[field], value.isFinite else { continue }
      bytes[field.rawValue >> 3] |= 1 << UInt8(field.rawValue & 7)
      let scaled = (value * field.scale).rounded()
      append(Int64(exactly: scaled) ?? (scaled < 0 ? Int64.min : .max), to: &bytes)
    }
    return bytes
  }

  /// The numbers of a sample; those that a newer version wrote behind them are left out.
  static func decode(_ bytes: [UInt8], count: Int64) -> StoredSample? {
    guard bytes.count >= maskCount else { return nil }
    var rest = bytes[maskCount...]
    var values = [Double?](repeating: nil, count: SampleField.allCases.count)
    for field in SampleField.allCases
    where bytes[field.rawValue >> 3] & 1 << UInt8(field.rawValue & 7) != 0 {
      guard let number = read(&rest) else { return nil }
      values[field.rawValue] = Double(number) / field.scale
    }
    return StoredSample(values: values, count: count)
  }

  /// Small numbers are short, negative ones too.
  static func append(_ number: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  static func read(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
    var (value, shift) = (UInt64(0), UInt64(0))
    while let byte = bytes.popFirst() {
      guard shift < 64 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
      shift += 7
    }
    return nil
  }
}
