import Bluetooth
import LunaCore
import LunaFleet
import LunaJSON
import LunaWire

/// What gateways do at some time, as far as their uploads and their health reports tell.
struct FleetStatuses: Sendable {
  /// By the names of their tokens.
  let signs: [String: GatewaySigns]
  let server: HealthRules.Server
  let limits: HealthLimits
  let time: Timestamp

  /// The status of a gateway as searches and orders need it.
  func searched(_ entry: FleetDirectory.Entry) -> SearchedStatus {
    guard let signs = signs[entry.gateway.key] else { return SearchedStatus() }
    var status = signs.searched
    status.state = state(signs.seenAt).rawValue
    if !entry.searched.isPlaced, signs.health != nil {
      status.reasons.append(HealthReason.Code.noPosition.rawValue)
      status.verdict = max(signs.verdict, .warn).rawValue
    }
    return status
  }

  /// Whether a gateway is in touch.
  func state(of gateway: Gateway) -> String { state(signs[gateway.key]?.seenAt).rawValue }

  /// The status of a gateway.
  func status(of gateway: Gateway) -> GatewayStatus {
    guard let signs = signs[gateway.key] else { return GatewayStatus() }
    var status = GatewayStatus(
      state: state(signs.seenAt).rawValue, seenAt: signs.seenAt, version: signs.searched.version)
    if let health = signs.health {
      let reasons = GatewaySigns.reasons(
        health, hasPosition: gateway.place?.position != nil, limits)
      status.verdict = HealthRules.verdict(reasons).rawValue
      status.reasons = reasons.compactMap { reason in
        if case .object(let members) = reason.json { members } else { nil }
      }
      if case .object(let members) = health.report.json { status.health = members }
    } else if let report = signs.upload?.report {
      status.health = [
        "uptime": .integer(report.uptime), "queueDepth": .integer(report.queueDepth),
      ]
    }
    return status
  }

  private func state(_ seenAt: Timestamp?) -> GatewayState {
    HealthRules.state(seenAt: seenAt, server: server, at: time, limits: limits)
  }

  /// A gateway as it was listed before there were records: with what it told at its last upload beside.
  func json(_ gateway: Gateway) -> JSONObject {
    var json = gateway.json(status(of: gateway))
    if let report = signs[gateway.key]?.upload?.report {
      json.append("uptime", .integer(report.uptime))
      json.append("queueDepth", .integer(report.queueDepth))
    }
    return json
  }
}
