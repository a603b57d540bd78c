import Bluetooth
import Diagnosis
import HTTPServer
import Luna
import LunaCore
import LunaCrypto
import LunaHome
import LunaJSON
import LunaProtocol
import LunaShare
import LunaStore
import QRCodes
import WebAccess

/// `shares`: trackers that others may see for a time, and theirs that are seen here. They are for owners.
enum ShareEndpoints {
  private static let refusals: [(status: Int, when: String)] = [
    (404, "There is no such share."), (409, "It was ended, or its tracker is gone."),
    (412, "Somebody has changed it meanwhile."),
    (422, "It cannot last until then, or nobody can mail it."),
    (423, "The keys of the trackers are locked."), (428, "If-Match is missing."),
  ]
  /// How long a share lasts where nobody says it, s: 30 days.
  private static let usual: Int64 = 30 * 86_400

  static let all = [
    HomeEndpoint(
      "GET", "shares", "listShares",
      "See what is shared with others, what others share, and what ending a share cannot do.",
      .role(.owner), answer: "Shares", problems: [(423, "The keys of the trackers are locked.")]
    ) { api, call in try await list(api, call) },
    HomeEndpoint(
      "GET", "shares/{id}", "getShare", "See a share of one's own tracker.", .role(.owner),
      problems: [(404, "There is no such share.")]
    ) { api, call in
      let sharing = try await api.home.sharing()
      return try await answer(200, try await find(call, sharing), sharing, call)
    },
    HomeEndpoint(
      "POST", "shares", "addShare",
      "Share a tracker with somebody until a time: to see it, and with status and ring to read its state and to make it sound. Where nobody has compared the code of their card, only with uncompared=true.",
      .role(.owner), body: "Share", 201,
      problems: [
        (404, "There is no such tracker, or nobody's card has this code."),
        (409, "This home has no card yet, the tracker is another's, or the code was not compared."),
        (422, "It cannot be shared so."), (423, "The keys of the trackers are locked."),
      ]
    ) { api, call in try await add(api, call) },
    HomeEndpoint(
      "GET", "shares/{id}/envelope", "getEnvelope",
      "Get the file that gives or ends a share, sealed for the one person: it is sent by any way.",
      .role(.owner), 200, "application/octet-stream",
      problems: [(404, "There is no such share."), (409, "Its tracker is gone.")]
    ) { api, call in
      let sharing = try await api.home.sharing()
      let share = try await find(call, sharing)
      let bytes = try await sharing.envelope(of: share, from: try await ownKey(sharing))
      return HTTPResponse(200, "application/octet-stream", bytes)
    },
    HomeEndpoint(
      "GET", "shares/{id}/picture", "drawShare",
      "Get the file that gives or ends a share as a QR code, where it is short enough for one: to see for a day or two.",
      .role(.owner), 200, "image/svg+xml",
      problems: [
        (404, "There is no such share."), (409, "Its tracker is gone."),
        (422, "It is too long for a code."), (501, "There is no libqrencode."),
      ]
    ) { api, call in
      let sharing = try await api.home.sharing()
      let share = try await find(call, sharing)
      return try picture(try await sharing.envelope(of: share, from: try await ownKey(sharing)))
    },
    HomeEndpoint(
      "PUT", "shares/{id}", "renewShare",
      "Make a share anew, from now until a time; with renew only say whether that is done and mailed every 20 days. Not to renew it is the way in which a share really ends.",
      .role(.owner), body: "ShareRenewal", problems: refusals
    ) { api, call in try await api.changes.enter { try await renew(api, call) } },
    HomeEndpoint(
      "DELETE", "shares/{id}", "endShare",
      "End a share early, as far as the other side agrees: the file that says so is to be sent.",
      .role(.owner), problems: refusals
    ) { api, call in
      try await api.changes.enter { () async throws -> HTTPResponse in
        let sharing = try await api.home.sharing()
        let share = try await find(call, sharing)
        try check(call, share)
        return try await keep(sharing.ended(share, at: call.time), 200, sharing, api, call)
      }
    },
    HomeEndpoint(
      "POST", "shares/import", "importShare",
      "Take the file, or a picture (PNG or JPEG) of its QR code, in which somebody shares a tracker, makes a share last longer or ends it. What is wrong with it is named by the first test that failed: length, magic, recipient, sender, open, header, kind, range, records, serial.",
      .role(.owner), files: ["application/octet-stream"],
      limits: EndpointLimits(bodyBytes: ShareEnvelope.limit, requests: 2),
      problems: [
        (409, "There is no card of this home yet, the share is over, or this is not newer."),
        (422, "It is not taken, or the picture shows no code."),
        (423, "The keys of the trackers are locked."),
      ]
    ) { api, call in try await take(api, call) },
  ]

  private static func find(
    _ call: HomeCall, _ sharing: TrackerSharing
  ) async throws -> SentShareRow {
    let id = call.parameter.uppercased()
    guard let share = try await sharing.store.sentShares().first(where: { "\($0.share)" == id })
    else { throw ProblemDocument.notFound("there is no such share") }
    return share
  }

  private static func add(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let members = try call.members()
    let (id, code) = (try members.string("tracker"), try members.string("card"))
    let given = try rights(members)
    let end = try lastSecond(members, at: call.time)
    guard let tracker = await api.home.tracker(id) else {
      throw ProblemDocument.notFound("there is no such tracker")
    }
    let sharing = try await api.home.sharing()
    _ = try await ownKey(sharing)
    let devices = try await sharing.store.allDevices()
    guard let device = devices.first(where: { "\($0.uuid)" == tracker.device }) else {
      throw ShareError.foreign(tracker.name)
    }
    let contact = try await CardEndpoints.find(code, sharing)
    let isAnyway =
      try members.optional("uncompared") != nil && CardEndpoints.flag("uncompared", members)
    guard contact.isVerified || isAnyway else {
      throw ProblemDocument(
        409, "notCompared", "Nobody has compared the code of this card.",
        detail: "the card may be another's: let \(contact.name) read \(code) to you first",
        members: ["field": "uncompared"])
    }
    let days = try members.optional("past").map { _ in try members.integer("past", in: 0...399) }
    let start = call.time.unixMilliseconds - (days ?? 0) * 86_400_000
    guard end - start / 1000 <= TrackerSharing.longest else {
      throw refusal("past", "a share has 400 days at most")
    }
    var share = try await sharing.share(
      device, with: contact, given, from: Timestamp(unixMilliseconds: start), until: end,
      at: call.time)
    share.isRenewed = try members.optional("renew") != nil && CardEndpoints.flag("renew", members)
    if share.isRenewed { try await checkMail(contact, api) }
    return try await keep(share, 201, sharing, api, call)
  }

  /// Makes a share anew, or says whether that is done by itself; nobody else changes one meanwhile.
  private static func renew(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let sharing = try await api.home.sharing()
    let share = try await find(call, sharing)
    try check(call, share)
    let members = try call.members()
    if members.optional("renew") != nil {
      return try await mark(share, CardEndpoints.flag("renew", members), sharing, api, call)
    }
    let end = try lastSecond(members, at: call.time)
    let next = try await sharing.renewed(share, until: end, at: call.time)
    return try await keep(next, 200, sharing, api, call)
  }

  /// Says whether a share is made anew by itself.
  private static func mark(
    _ share: SentShareRow, _ isRenewed: Bool, _ sharing: TrackerSharing, _ api: HomeAPI,
    _ call: HomeCall
  ) async throws -> HTTPResponse {
    guard share.endedAt == nil else { throw ShareError.ended }
    if isRenewed {
      let contact = try await sharing.store.contacts().first { $0.key == share.recipient }
      try await checkMail(contact, api)
    }
    var next = share
    next.isRenewed = isRenewed
    try await sharing.store.put(next)
    return try await answer(200, next, sharing, call)
  }

  /// Refuses to promise mail that nobody can send.
  private static func checkMail(_ contact: ContactRow?, _ api: HomeAPI) async throws {
    if let contact, await api.home.mailAddress(of: contact) != nil { return }
    throw refusal("renew", "there is no channel for mail, or no address of this contact")
  }

  /// Keeps a share that can be sealed.
  private static func keep(
    _ share: SentShareRow, _ status: Int, _ sharing: TrackerSharing, _ api: HomeAPI,
    _ call: HomeCall
  ) async throws -> HTTPResponse {
    _ = try await sharing.envelope(of: share, from: try await ownKey(sharing))
    try await sharing.store.put(share)
    // From now on what it says of itself may be somebody else's word.
    if share.rights.status { await api.home.listenAnew() }
    return try await answer(status, share, sharing, call)
  }

  private static func picture(_ envelope: [UInt8]) throws(ProblemDocument) -> HTTPResponse {
    guard envelope.count <= ShareEnvelope.codeLimit else {
      throw refusal(
        "until", "it has \(envelope.count) bytes, and a code \(ShareEnvelope.codeLimit) at most")
    }
    guard let code = QRCode(envelope, level: .low) else { throw CardEndpoints.noCodes }
    return CardEndpoints.answer(code.svg(title: "Share of a tracker"))
  }

  /// Refuses to change what somebody else has changed meanwhile.
  private static func check(_ call: HomeCall, _ share: SentShareRow) throws {
    try ListedObject(id: "", value: version(share), line: nil).check(call)
  }

  private static func version(_ share: SentShareRow) -> JSONValue {
    [
      "share": .string("\(share.share)"), "serial": .integer(share.serial),
      "renew": .bool(share.isRenewed),
    ]
  }

  private static func answer(
    _ status: Int, _ share: SentShareRow, _ sharing: TrackerSharing, _ call: HomeCall
  ) async throws -> HTTPResponse {
    let devices = try await sharing.store.allDevices()
    var response = HTTPResponse(status, json: try json(share, devices, at: call.time))
    response.headers.append(("ETag", try HomeObject.tag(of: version(share))))
    return response
  }

  private static func take(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let sharing = try await api.home.sharing()
    var envelope = try call.request.inflated(HTTPLimits())
    if PictureForm(envelope) != nil {
      do {
        envelope = try await api.readPicture(envelope, false)
      } catch {
        throw ProblemDocument(
          422, "picture", "The share is not taken.",
          detail: (error as? any Diagnosed)?.reason ?? "the picture cannot be read")
      }
    }
    let opened = try await sharing.open(envelope, as: try await ownKey(sharing))
    let (share, device) = try await sharing.take(opened, at: call.time)
    var tracker: String?
    if let device {
      tracker = try await TrackerObjects.keep("\(device.uuid)", device.name, api)
    } else if let gone = opened.former?.device {
      try await TrackerObjects.drop("\(gone)", api)
    }
    // The keys that it was followed by hold no more.
    if opened.former != nil { await api.home.listenAnew() }
    let (devices, contacts) = (device.map { [$0] } ?? [], try await sharing.store.contacts())
    let told = json(share, devices, contacts, sharing, at: call.time)
    guard case .object(var object) = told else {
      return HTTPResponse(500, nil, [])
    }
    object.append("tracker", tracker.map { .string($0) } ?? .null)
    return HTTPResponse(200, json: .object(object))
  }

  /// One's own key, without which nobody can share anything.
  private static func ownKey(_ sharing: TrackerSharing) async throws -> SecretBytes {
    guard let own = try await sharing.store.contactKey() else {
      throw ProblemDocument(
        409, "noCard", "This home has no contact card yet.", detail: "make one first")
    }
    return own.key
  }

  private static func rights(_ members: JSONMembers) throws -> ShareRights {
    let words = try members.optional("rights") == nil ? [] : members.array("rights")
    let known: [JSONValue] = ["see", "status", "ring"]
    guard words.allSatisfy({ known.contains($0) }) else {
      throw FormatError("rights", "has other words than see, status and ring")
    }
    guard words.contains("ring") else { return ShareRights(status: words.contains("status")) }
    let seconds = try members.optional("ringSeconds").map { _ in
      try members.integer("ringSeconds", in: 1...60)
    }
    let rings = try members.optional("ringsPerPeriod").map { _ in
      try members.integer("ringsPerPeriod", in: 1...8)
    }
    guard let ring = RingRight(seconds: Int(seconds ?? 12), perPeriod: Int(rings ?? 4)) else {
      throw FormatError("ringsPerPeriod", "is not 1, 2, 4 or 8")
    }
    return ShareRights(status: words.contains("status"), ring: ring)
  }

  /// Until when, Unix s.
  private static func lastSecond(_ members: JSONMembers, at now: Timestamp) throws -> Int64 {
    let seconds = now.unixMilliseconds / 1000
    guard let text = try members.optionalString("until", limit: 40) else { return seconds + usual }
    guard let until = Timestamp(rfc3339: text) else {
      throw FormatError("until", "is not a time as 2026-01-31T12:00:00Z")
    }
    let end = until.unixMilliseconds / 1000
    guard end > seconds, end - seconds <= TrackerSharing.longest else {
      throw refusal("until", end > seconds ? "a share has 400 days at most" : "this is over")
    }
    return end
  }

  private static func refusal(_ field: String, _ detail: String) -> ProblemDocument {
    ProblemDocument(
      422, field, "It cannot be shared so.", detail: detail, members: ["field": .string(field)])
  }

  /// Why a share is not made.
  static func problem(_ error: ShareError) -> ProblemDocument {
    ProblemDocument(
      [.foreignDevice, .ended].contains(error.kind) ? 409 : 422, error.kind.rawValue,
      "It cannot be shared so.", detail: "\(error)")
  }

  /// Why an envelope is not taken.
  static func problem(_ rejection: ShareRejection) -> ProblemDocument {
    ProblemDocument(
      rejection == .serial ? 409 : 422, rejection.rawValue, "The share is not taken.",
      detail: "\(rejection)")
  }
}
