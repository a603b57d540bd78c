/// The power at which an advertiser is received: it wanders, as somebody walks.
struct PowerWalk: Sendable {
  private let mean: Int
  private var power: Int
  private var generator: SplitMix64

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
    mean = Int.random(in: -88 ... -48, using: &generator)
    power = mean
  }

  /// The power of the next packet, dBm: a step of a random walk within 10 dB of the mean, and noise.
  mutating func next() -> Int8 {
    let step = Int.random(in: -1...1, using: &generator)
    power = min(max(power + step, mean - 10), mean + 10)
    return Int8(clamping: power + Int.random(in: -2...2, using: &generator))
  }
}
