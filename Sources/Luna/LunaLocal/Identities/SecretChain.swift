import LunaCrypto

/// The secrets of a Find My accessory, each of which follows from the one before: the way to a far one
/// is long, so it is gone piece by piece and not twice.
struct SecretChain {
  /// A step leads over a chunk of secrets.
  static let step = DerivationChunk.count
  /// Steps between secrets that are kept.
  private static let spacing: UInt32 = 64

  /// The first secret, and then one after each `spacing` steps.
  private var kept: [SecretBytes]
  /// The farthest one so far, and the number of steps to it.
  private var head: (place: UInt32, secret: SecretBytes)

  init(_ first: SecretBytes) {
    kept = [first]
    head = (0, first)
  }

  /// The secret at the beginning of a chunk.
  ///
  /// - Parameters:
  ///   - budget: steps that may be gone; is lowered by those that were. From a kept secret all steps
  ///     are gone at once.
  ///   - advance: the secret a number of places after one.
  /// - Returns: nil when the budget was used up on the way.
  mutating func secret(
    at period: UInt32, _ budget: inout Int, advance: (SecretBytes, UInt32) -> SecretBytes
  ) -> SecretBytes? {
    let wanted = period / SecretChain.step
    guard wanted >= head.place else {
      let mark = wanted / SecretChain.spacing
      let steps = wanted - mark * SecretChain.spacing
      budget -= Int(steps)
      return advance(kept[Int(mark)], steps * SecretChain.step)
    }
    while head.place < wanted {
      guard budget > 0 else { return nil }
      budget -= 1
      head = (head.place + 1, advance(head.secret, SecretChain.step))
      if head.place % SecretChain.spacing == 0 { kept.append(head.secret) }
    }
    return head.secret
  }
}
