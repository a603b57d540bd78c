/// Small changes of bytes, the same in every run.
struct Mutations: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func change(_ bytes: inout [UInt8]) {
    for _ in 0...Int.random(in: 0..<3, using: &self) {
      guard !bytes.isEmpty else {
        bytes.append(UInt8.random(in: 0...255, using: &self))
        continue
      }
      let place = Int.random(in: 0..<bytes.count, using: &self)
      switch UInt8.random(in: 0..<6, using: &self) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 2: bytes[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &self) ?? 0
      case 3: bytes.remove(at: place)
      case 4: bytes.insert(UInt8.random(in: 0...255, using: &self), at: place)
      default: bytes.removeLast(min(bytes.count, Int.random(in: 1...8, using: &self)))
      }
    }
  }
}
