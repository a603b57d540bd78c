public import Bluetooth
import LunaCore
public import LunaJSON

/// The record of a gateway: what it is, and what people wrote about it. What it does just now is its
/// ``GatewayStatus``.
public struct Gateway: Hashable, Sendable {
  /// How long a removed one can come back.
  public static let removedLifetime = Duration.seconds(30 * 86_400)

  /// What requests call it: 16 hexadecimal digits in lower case.
  public let id: String
  /// The name of its tokens.
  public let key: String
  /// Counts the edits, from 1: an edit says which one it has seen.
  public var revision: Int64
  /// What people wrote: values as ``RecordEdit`` checked them.
  public var fields: JSONObject
  /// What its label said of the hardware.
  public var hardware: GatewayHardware
  /// When the record was made.
  public let createdAt: Timestamp
  /// Who made it; nil where it came by itself.
  public let enrolledBy: String?
  /// Since when it is removed.
  public var removedAt: Timestamp?
  /// The scan of its label; nil for one with a code or a token that was given to it.
  public var enrolment: Enrolment?

  /// A record; nothing of it is checked here.
  ///
  /// - Parameters:
  ///   - id: 16 hexadecimal digits in lower case, as ``LunaCore/GatewayPrint/id``.
  ///   - key: the name of its tokens.
  public init(
    id: String, key: String, revision: Int64 = 1, fields: JSONObject,
    hardware: GatewayHardware = GatewayHardware(), createdAt: Timestamp, enrolledBy: String? = nil,
    removedAt: Timestamp? = nil, enrolment: Enrolment? = nil
  ) {
    self.id = id
    self.key = key
    self.revision = revision
    self.fields = fields
    self.hardware = hardware
    self.createdAt = createdAt
    self.enrolledBy = enrolledBy
    self.removedAt = removedAt
    self.enrolment = enrolment
  }

  /// What people call it.
  public var name: String { text("name") ?? key }

  /// The name without case and accents, of which there is one among those that are present.
  public var foldedName: String { FoldedText.caseless(name) }

  /// Where it is; nil where nobody has said it.
  public var place: Place? { fields["place"].flatMap { try? Place(json: $0) } }

  /// Its tags, sorted.
  public var tags: [String] {
    guard case .array(let elements)? = fields["tags"] else { return [] }
    return elements.compactMap { if case .string(let tag) = $0 { tag } else { nil } }
  }

  /// The text of a field.
  public func text(_ field: String) -> String? {
    guard case .string(let text)? = fields[field] else { return nil }
    return text
  }

  /// What its label says, as far as it was scanned.
  public var payload: GatewayPayload? {
    guard let enrolment else { return nil }
    var payload = GatewayPayload(print: enrolment.print)
    payload.name = GatewayPayload.fitting(name)
    payload.site = GatewayPayload.fitting(text("site"))
    payload.manufacturer = GatewayPayload.fitting(text("manufacturer"))
    payload.model = GatewayPayload.fitting(hardware.model)
    payload.mac = hardware.mac
    payload.ip = hardware.ip
    payload.position = place?.position.flatMap { PayloadPosition(degrees: $0) }
    return payload
  }

  /// The record as the API tells it.
  public func json(_ status: GatewayStatus) -> JSONObject {
    var json: JSONObject = ["id": .string(id), "key": .string(key), "revision": .integer(revision)]
    for member in fields.members { json.append(member.name, member.value) }
    if fields["name"] == nil { json.append("name", .string(name)) }
    for member in hardware.json.members { json.append(member.name, member.value) }
    json.append("createdAt", .string(createdAt.rfc3339))
    if let enrolledBy { json.append("enrolledBy", .string(enrolledBy)) }
    if let hash = text("picture") {
      json.append("pictureUrl", .string("/v1/pictures/\(hash)"))
    }
    if let removedAt { json.append("removedAt", .string(removedAt.rfc3339)) }
    if let enrolment, enrolment.tokenDigest == nil { json.append("waiting", .bool(true)) }
    for member in status.json.members { json.append(member.name, member.value) }
    return json
  }
}
