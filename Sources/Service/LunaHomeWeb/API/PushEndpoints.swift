import Bluetooth
import HTTPServer
import LunaCore
import LunaCrypto
import LunaHome
import LunaJSON
import LunaNotify
import LunaStore
import WebAccess

/// `push`: the browsers that are told of what a contact is (RFC 8030).
enum PushEndpoints {
  /// So many an account may have.
  private static let most = 20

  static let all = [
    HomeEndpoint(
      "GET", "push", "getPush", "See one's browsers that are told, and what one needs to add one.",
      .session
    ) { api, call in HTTPResponse(200, json: try await json(api, call)) },
    HomeEndpoint(
      "POST", "push", "addPush", "Have a browser be told of what a contact is.", .session,
      body: "PushSubscription", 201,
      problems: [
        (409, "This account has too many browsers."),
        (422, "There is no such contact whose browsers are told."),
      ]
    ) { api, call in
      let members = try call.members()
      let subscription = try PushSubscription(json: members)
      let (account, contact) = (try member(call), try members.string("contact"))
      guard try await settings(api).contact(contact)?.hasBrowsers ?? false else {
        throw ProblemDocument(
          422, "contact", "There is no such contact whose browsers are told.",
          detail: "set \"push\": true for a contact of the file", members: ["field": "contact"])
      }
      let bytes: InlineArray<8, UInt8> = try SecureRandom.bytes()
      let row = PushTable.Row(
        id: Hex.lower(bytes.indices.map { bytes[$0] }), account: account,
        contact: contact, subscription: subscription, created: call.time.microseconds)
      let isAdded = try await api.accounts.store.transaction { database throws(DeviceStoreError) in
        let others = try PushTable.rows(account: account, in: database.connection).filter {
          $0.subscription.endpoint != subscription.endpoint
        }
        guard others.count < most else { return false }
        try PushTable.add(row, to: database.connection)
        return true
      }
      guard isAdded else {
        throw ProblemDocument(409, "tooMany", "This account has \(most) browsers already.")
      }
      return HTTPResponse(201, json: json(row))
    },
    HomeEndpoint(
      "DELETE", "push/{id}", "removePush", "Tell one of one's browsers no more.", .session, 204,
      problems: [(404, "None of one's own has this id.")]
    ) { api, call in
      let (id, account) = (call.parameter, try member(call))
      let wasThere = try await api.accounts.store.transaction {
        database throws(DeviceStoreError) in
        try PushTable.remove(id, of: account, in: database.connection)
      }
      guard wasThere else { throw ProblemDocument.notFound("no browser of yours has this id") }
      return HTTPResponse(204, nil, [])
    },
  ]

  /// The account of who calls. What contacts are told is nothing for guests.
  private static func member(_ call: HomeCall) throws -> String {
    let caller = try call.caller()
    guard caller.role >= .member else {
      throw ProblemDocument(403, "forbidden", "This is not allowed to guests.")
    }
    return caller.name
  }

  private static func settings(_ api: HomeAPI) async throws -> NotificationSettings {
    guard let settings = await api.home.notifications else { throw HomeAPI.unready }
    return settings
  }

  private static func json(_ api: HomeAPI, _ call: HomeCall) async throws -> JSONValue {
    let account = try member(call)
    let new = try P256PrivateKey()
    let (rows, scalar) = try await api.accounts.store.transaction {
      database throws(DeviceStoreError) in
      (
        try PushTable.rows(account: account, in: database.connection),
        try PushTable.scalar(orKeep: new.scalar, in: database.connection)
      )
    }
    let contacts = try await settings(api).contacts.filter(\.hasBrowsers)
    return [
      "key": .string(PushIdentity(try P256PrivateKey(scalar: scalar)).publicKey),
      "contacts": .array(contacts.map { ["id": .string($0.id), "name": .string($0.name)] }),
      "browsers": .array(rows.map(json)),
    ]
  }

  private static func json(_ row: PushTable.Row) -> JSONValue {
    [
      "id": .string(row.id), "contact": .string(row.contact),
      "createdAt": .string(Timestamp(microseconds: row.created).rfc3339),
    ]
  }
}
