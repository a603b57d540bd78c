public import Bluetooth

extension Hex {
  /// The lower-case digits of `bytes`, without separators.
  public static func lower(_ bytes: Span<UInt8>) -> String {
    let digits: InlineArray<16, UInt8> = [
      48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102,
    ]
    return unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      for index in bytes.indices {
        unsafe text[2 * index] = digits[Int(bytes[index] >> 4)]
        unsafe text[2 * index + 1] = digits[Int(bytes[index] & 15)]
      }
      return 2 * bytes.count
    }
  }
}
