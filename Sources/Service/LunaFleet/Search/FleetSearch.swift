public import Bluetooth
import LunaCore
import LunaJSON

/// A search among gateways.
///
/// Terms are joined by and; `OR` between them binds weaker; `-` in front negates. A word is looked for
/// in all fields but the note, without case and accents; `field:value` is the whole value, in which `*`
/// stands for anything; `seen:<1h` and `queue:>100` compare; `near:52.5,13.4,500` is within metres.
public struct FleetSearch: Hashable, Sendable {
  /// The longest search, in characters.
  public static let longest = 256
  /// How many terms it has at most.
  public static let termLimit = 16

  /// One of them must hold; all gateways are found by none.
  let alternatives: [[SearchTerm]]

  /// Reads a search; an empty one finds everything.
  ///
  /// - Throws: the first mistake with its column.
  public init(_ text: String) throws(FleetError) {
    var parser = try SearchParser(text)
    alternatives = try parser.alternatives()
  }

  /// Whether a gateway is found.
  public func finds(
    _ gateway: SearchedGateway, _ status: SearchedStatus, at time: Timestamp
  ) -> Bool {
    alternatives.isEmpty
      || alternatives.contains { terms in
        terms.allSatisfy { term in
          FleetSearch.holds(term.condition, gateway, status, time) != term.isNegated
        }
      }
  }

  private static func holds(
    _ condition: SearchCondition, _ gateway: SearchedGateway, _ status: SearchedStatus,
    _ time: Timestamp
  ) -> Bool {
    switch condition {
    case .word(let pattern):
      return pattern.isWithin(gateway.description)
        || pattern.words.contains { $0 == status.state || $0 == status.verdict }
        || pattern.isWithin(FoldedText.bytes(status.version ?? ""))
    case .text(let field, let pattern):
      switch field {
      case .version: return pattern.isWhole(FoldedText.bytes(status.version ?? ""))
      case .state: return pattern.isWhole(FoldedText.bytes(status.state))
      case .verdict: return pattern.isWhole(FoldedText.bytes(status.verdict))
      case .reason:
        return status.reasons.contains { pattern.isWhole(FoldedText.bytes($0)) }
      default: return gateway.values(field).contains { pattern.isWhole($0) }
      }
    case .number(let field, let comparison, let number):
      let value = field == .queue ? status.queueDepth : status.packetsPerSecond
      return value.map { comparison.holds($0, number) } ?? false
    case .version(let comparison, let parts):
      guard let version = status.version else { return false }
      return comparison.holds(VersionOrder(version), VersionOrder(parts: parts))
    case .seen(let comparison, let seconds):
      guard let seenAt = status.seenAt else { return false }
      let (distance, overflow) = time.microseconds.subtractingReportingOverflow(seenAt.microseconds)
      return !overflow && comparison.holds(Double(distance) / 1e6, seconds)
    case .has(let field):
      switch field {
      case "version": return status.version != nil
      case "seen": return status.seenAt != nil
      case "reason": return !status.reasons.isEmpty
      case "health": return status.hasHealth
      default: return gateway.present.contains(field)
      }
    case .near(let latitude, let longitude, let radius):
      guard let position = gateway.position else { return false }
      return Distance.metres((latitude, longitude), position) <= radius
    }
  }
}
