public import Bluetooth
public import LunaCore
public import LunaJSON

/// A device of a gateway: what was heard of it, and what people wrote about it.
public struct FleetDevice: Hashable, Sendable {
  /// What a device is that nobody approved and that does not pass by: heard in so many of the last 24
  /// hours, and not far away.
  public static let stayingHours = 6
  /// How long one is kept after it was heard last; ``editedLifetime`` where somebody wrote about it.
  public static let lifetime = Duration.seconds(30 * 86_400)
  /// How long an edited one is kept.
  public static let editedLifetime = Duration.seconds(400 * 86_400)
  /// For how long a forgotten one stays hidden although it is heard.
  public static let forgetting = Duration.seconds(86_400)

  /// The `id` of its gateway.
  public let gateway: String
  /// What its gateway has told of it, put together by ``hear(_:)``.
  public private(set) var report: DeviceReport
  /// What people wrote: values as ``RecordEdit`` checked them.
  public var fields: JSONObject
  /// Counts the edits, from 0: an edit says which one it has seen.
  public var revision: Int64
  /// When it was hidden; nil for one that is shown.
  public var forgottenAt: Timestamp?

  /// A device that was heard.
  ///
  /// - Parameter gateway: the `id` of the record of its gateway.
  public init(
    gateway: String, report: DeviceReport, fields: JSONObject = JSONObject(), revision: Int64 = 0,
    forgottenAt: Timestamp? = nil
  ) {
    self.gateway = gateway
    self.report = report
    self.fields = fields
    self.revision = revision
    self.forgottenAt = forgottenAt
  }

  /// What changes call it.
  public var object: String { "\(gateway)/\(report.ref)" }

  /// Takes what was heard since. One that was forgotten is back when it is heard a day later.
  public mutating func hear(_ newer: DeviceReport) {
    report = DeviceReport(
      ref: report.ref, family: newer.family, first: min(report.first, newer.first),
      last: max(report.last, newer.last), hours: report.hours.union(newer.hours),
      band: newer.last >= report.last ? newer.band : report.band)
    if let time = forgottenAt, report.last >= time.advanced(by: FleetDevice.forgetting) {
      forgottenAt = nil
    }
  }

  /// Whether somebody said that it may be here.
  public var isApproved: Bool { fields["approved"] == .bool(true) }

  /// Unknown, and stays: not approved, heard in 6 of the last 24 hours, near or mid.
  public func isStaying(at time: Timestamp) -> Bool {
    !isApproved && forgottenAt == nil && report.band != .far
      && report.hours.count(at: time) >= FleetDevice.stayingHours
  }

  /// Until when it is kept.
  public var keptUntil: Timestamp {
    report.last.advanced(
      by: fields.members.isEmpty ? FleetDevice.lifetime : FleetDevice.editedLifetime)
  }

  /// The device as the API tells it.
  public func json(at time: Timestamp) -> JSONObject {
    let hours = report.hours.moved(to: HeardHours.hour(of: time))
    var json: JSONObject = [
      "ref": .string(report.ref), "gateway": .string(gateway), "family": .string(report.family),
      "first": .string(report.first.rfc3339), "last": .string(report.last.rfc3339),
      "hours": .integer(Int64(hours.bits)), "band": .string(report.band.rawValue),
      "staying": .bool(isStaying(at: time)), "revision": .integer(revision),
    ]
    for member in fields.members { json.append(member.name, member.value) }
    if case .string(let hash)? = fields["picture"] {
      json.append("pictureUrl", .string("/v1/pictures/\(hash)"))
    }
    return json
  }
}
