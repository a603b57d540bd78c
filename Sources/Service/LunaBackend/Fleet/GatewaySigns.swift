import Bluetooth
import LunaCore
import LunaFleet

/// What a gateway told last, with an upload and of its health, and what follows from that whatever its record
/// says and whatever the time is.
final class GatewaySigns: Sendable {
  let upload: GatewayRecord?
  let health: GatewayHealth?
  /// All that searches look at, but for its state, and for its place among the reasons. A report is large:
  /// to take it in the hand for each of thousands would cost more than the search.
  let searched: SearchedStatus
  let verdict: HealthVerdict
  private let hasVirtualRadio: Bool

  init(upload: GatewayRecord?, health: GatewayHealth?, limits: HealthLimits) {
    self.upload = upload
    self.health = health
    hasVirtualRadio = health?.report.radioPath == "virtual"
    let reasons = health.map { GatewaySigns.reasons($0, hasPosition: nil, limits) }
    verdict = reasons.map(HealthRules.verdict) ?? .unknown
    let told = upload?.report
    searched = SearchedStatus(
      verdict: verdict.rawValue, reasons: reasons?.map(\.code.rawValue) ?? [],
      seenAt: [upload?.seenAt, health?.time].compactMap(\.self).max(),
      version: health?.report.version ?? told?.version, hasHealth: health != nil || told != nil,
      queueDepth: (health == nil ? told?.queueDepth : health?.report.queueDepth).map {
        Double($0)
      },
      packetsPerSecond: health?.report.packetsPerSecond)
  }

  /// Whether nothing of a gateway is real: its radio is made up, as in a demonstration, or its record says so.
  static func isSimulated(_ gateway: Gateway, _ signs: GatewaySigns?) -> Bool {
    signs?.hasVirtualRadio == true || gateway.tags.contains("simulated")
  }

  /// When it was heard of last.
  var seenAt: Timestamp? { searched.seenAt }

  /// Why a gateway is not well, the worst first: what its last report says, and what was found by those
  /// before it.
  static func reasons(
    _ health: GatewayHealth, hasPosition: Bool?, _ limits: HealthLimits
  ) -> [HealthReason] {
    let now = HealthRules.reasons(health.report, hasPosition: hasPosition, limits: limits)
    let rest = health.reasons.filter { code in !now.contains { $0.code == code } }
    return (now + rest.compactMap(HealthReason.counted)).sorted { $1.verdict < $0.verdict }
  }
}
