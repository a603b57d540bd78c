import Bluetooth
import HTTPServer
import Luna
import LunaCore
import LunaHome
import LunaJSON
import LunaProtocol
import LunaShare
import LunaStore

// Shares as the API tells of them.

extension ShareEndpoints {
  /// All of them.
  static func list(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let sharing = try await api.home.sharing()
    let store = sharing.store
    let (devices, contacts) = (try await store.allDevices(), try await store.contacts())
    let given = try await store.sentShares().map { try json($0, devices, at: call.time) }
    let received = try await store.receivedShares().map {
      json($0, devices, contacts, sharing, at: call.time)
    }
    return HTTPResponse(
      200,
      json: [
        "given": .array(given), "received": .array(received),
        "ending": .array(ShareWarning.ending.map { .string($0) }),
      ])
  }

  /// A share of one's own tracker.
  static func json(
    _ share: SentShareRow, _ devices: [Device], at now: Timestamp
  ) throws -> JSONValue {
    let device = devices.first { $0.uuid == share.tracker }
    var object: JSONObject = [
      "id": .string("\(share.share)"), "device": .string("\(share.tracker)"),
      "contact": .string(share.contact), "serial": .integer(share.serial),
    ]
    object.append("name", device.map { .string($0.name) } ?? .null)
    object.append("code", (try ContactKey(share.recipient)?.code()).map { .string($0) } ?? .null)
    append(share.rights, share.issuedAt, share.until, share.endedAt != nil, to: &object, now)
    object.append("renew", .bool(share.isRenewed))
    // Around the records there are names, an address and what seals them.
    let records = share.endedAt == nil ? Int(share.periods.count) * share.rights.recordCount : 0
    object.append("picture", .bool(records + 600 <= ShareEnvelope.codeLimit))
    return .object(object)
  }

  /// What somebody else shares.
  static func json(
    _ share: ReceivedShareRow, _ devices: [Device], _ contacts: [ContactRow],
    _ sharing: TrackerSharing, at now: Timestamp
  ) -> JSONValue {
    let device = devices.first { $0.uuid == share.device }
    let contact = contacts.first { $0.key == share.sender }
    var object: JSONObject = [
      "id": .string("\(share.share)"), "serial": .integer(share.serial),
    ]
    object.append("device", share.device.map { .string("\($0)") } ?? .null)
    object.append("name", device.map { .string($0.name) } ?? .null)
    object.append("contact", contact.map { .string($0.name) } ?? .null)
    let backend = sharing.otherBackend(than: share.backend)
    object.append("otherBackend", backend.map { .string($0) } ?? .null)
    append(share.rights, share.issuedAt, share.until, share.device == nil, to: &object, now)
    return .object(object)
  }

  private static func append(
    _ rights: ShareRights, _ issued: Int64, _ until: Int64, _ isEnded: Bool,
    to object: inout JSONObject, _ now: Timestamp
  ) {
    let isOver = until <= now.unixMilliseconds / 1000
    object.append("rights", .array((["see"] + rights.words).map { .string($0) }))
    if let ring = rights.ring {
      object.append("ringSeconds", .integer(Int64(ring.seconds)))
      object.append("ringsPerPeriod", .integer(Int64(ring.perPeriod)))
    }
    object.append("issuedAt", time(issued))
    object.append("until", time(until))
    object.append("state", isEnded ? "ended" : isOver ? "expired" : "live")
  }

  /// Others may say times for which there is no date.
  private static func time(_ seconds: Int64) -> JSONValue {
    let seconds = min(max(0, seconds), Int64(UInt32.max))
    return .string(Timestamp(unixMilliseconds: seconds * 1000).rfc3339)
  }
}
