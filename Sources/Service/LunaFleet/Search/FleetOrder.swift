import Bluetooth

/// In which order gateways are listed.
public struct FleetOrder: Hashable, Sendable {
  /// The fields that gateways can be sorted by.
  public enum Field: String, Sendable, CaseIterable {
    case name, key, site, tag, state, verdict, seenAt, createdAt, manufacturer, model, version
  }

  /// The field.
  public let field: Field
  /// Whether the last comes first.
  public let isReversed: Bool

  /// By name, a to z without case: what holds where nobody asks for another.
  public static let byName = FleetOrder(field: .name, isReversed: false)

  private init(field: Field, isReversed: Bool) {
    self.field = field
    self.isReversed = isReversed
  }

  /// Reads a field, with `-` in front to reverse; nil for another text.
  public init?(_ text: String) {
    isReversed = text.hasPrefix("-")
    guard let field = Field(rawValue: isReversed ? String(text.dropFirst()) : text) else {
      return nil
    }
    self.field = field
  }

  /// What a gateway is sorted by; its `id` tells apart those that have the same.
  public func key(_ gateway: Gateway, _ status: SearchedStatus) -> String {
    switch field {
    case .name: FleetOrder.folded(gateway.name)
    case .key: gateway.key
    case .site: FleetOrder.section(gateway.text("site"), gateway)
    case .tag: FleetOrder.section(gateway.tags.first, gateway)
    case .manufacturer: FleetOrder.folded(gateway.text("manufacturer"))
    case .model: FleetOrder.folded(gateway.hardware.model)
    case .state: FleetOrder.place(status.state, GatewayStatus.states)
    case .verdict: FleetOrder.place(status.verdict, ["bad", "warn", "unknown", "ok"])
    case .version:
      VersionOrder(status.version ?? "").parts.map { FleetOrder.padded(UInt64(max(0, $0))) }
        .joined()
    case .seenAt: FleetOrder.padded(status.seenAt)
    case .createdAt: FleetOrder.padded(gateway.createdAt)
    }
  }

  /// Whether one gateway comes before another.
  public func isBefore(
    _ left: (key: String, id: String), _ right: (key: String, id: String)
  ) -> Bool {
    isReversed ? right < left : left < right
  }

  /// The order of sections: those without one at the end, and within each by name.
  private static func section(_ name: String?, _ gateway: Gateway) -> String {
    (name.map { "0\(folded($0))" } ?? "1") + "\n\(folded(gateway.name))"
  }

  static func folded(_ text: String?) -> String {
    String(decoding: FoldedText.bytes(text ?? ""), as: UTF8.self)
  }

  private static func place(_ word: String, _ words: [String]) -> String {
    padded(UInt64(words.firstIndex(of: word) ?? words.count))
  }

  private static func padded(_ time: Timestamp?) -> String {
    padded(time.map { UInt64(bitPattern: $0.microseconds) ^ 1 << 63 } ?? 0)
  }

  private static func padded(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
