package import Bluetooth
import LunaJSON

/// What the last check of the uplink says of a network, in short.
package struct UplinkSummary: Hashable, Sendable {
  /// When the check was made.
  package let time: Timestamp
  /// What it says, in a word.
  package let verdict: String
  /// The speed of the original by that of the control; nil where that is not known.
  package let ratio: Double?
  /// Where a difference is made, in a word; nil where nobody has looked.
  package let located: String?

  /// Of a result; nil where it says nothing of the network. A simulated result does not, an imported one is of another
  /// network, and one that was cancelled has no verdict.
  init?(_ members: JSONMembers, time: Timestamp) {
    let isForeign = ["simulated", "imported"].contains { members.optional($0) == .bool(true) }
    guard !isForeign, let verdict = try? members.word("verdict", limit: 32) else { return nil }
    self.time = time
    self.verdict = verdict
    ratio =
      switch members.optional("ratio") {
      case .real(let value)? where value > 0 && value < 1e6: value
      case .integer(let value)? where value > 0 && value < 1_000_000: Double(value)
      default: nil
      }
    located = try? members.word("located", limit: 32)
  }
}
