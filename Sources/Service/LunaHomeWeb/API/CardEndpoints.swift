import Bluetooth
import HTTPServer
import Luna
import LunaCore
import LunaHome
import LunaJSON
import LunaShare
import LunaStore
import QRCodes
import WebAccess

/// `card`, `cards`: one's own contact card, and those of the people with whom trackers are shared.
enum CardEndpoints {
  private static let unknown = [(status: 404, when: "There is no such card.")]
  private static let locked = [(status: 423, when: "The keys of the trackers are locked.")]

  static let all = [
    HomeEndpoint(
      "GET", "card", "getCard", "See the contact card of this home, with the code to compare.",
      .role(.owner), answer: "Card", problems: unknown + locked
    ) { api, _ in HTTPResponse(200, json: try json(try await own(api))) },
    HomeEndpoint(
      "PUT", "card", "makeCard",
      "Make the contact card of this home, or give it another name; with new=true another key, which everybody has to get.",
      .role(.owner), body: "OwnCard", answer: "Card",
      problems: [(422, "The name cannot stand on a card.")] + locked
    ) { api, call in try await make(api, call) },
    HomeEndpoint(
      "GET", "card/picture", "drawCard", "Get the contact card of this home as a QR code.",
      .role(.owner), 200, "image/svg+xml",
      problems: unknown + locked + [(501, "There is no libqrencode.")]
    ) { api, _ in
      let card = try await own(api)
      guard let code = QRCode(card.text, level: .medium) else { throw noCodes }
      return answer(code.svg(title: "Contact card", lines: [card.name]))
    },
    HomeEndpoint(
      "GET", "cards", "listCards", "See the contact cards of others, with the codes to compare.",
      .role(.owner), answer: "Cards"
    ) { api, _ in
      var cards: [JSONValue] = []
      for contact in try await api.home.sharing().store.contacts() {
        cards.append(try await json(contact, api))
      }
      return HTTPResponse(200, json: ["cards": .array(cards)])
    },
    HomeEndpoint(
      "POST", "cards", "addCard",
      "Add somebody by the text of their contact card or a picture of it (PNG or JPEG in Base64, or as a data URL), under a name or that on the card, with the address to which shares are mailed.",
      .role(.owner), body: "ContactCard", 201, answer: "ShownCard",
      problems: [
        (409, "Somebody has this name or this card."),
        (422, "It is no card of somebody else, or the name or the address cannot be used."),
      ] + locked
    ) { api, call in try await add(api, call) },
    HomeEndpoint(
      "PUT", "cards/{code}", "markCard",
      "Say whether its owner has read the code of a card to you, and it was the same.",
      .role(.owner), body: "CardMark", answer: "ShownCard", problems: unknown
    ) { api, call in
      let isCompared = try flag("compared", try call.members())
      let sharing = try await api.home.sharing()
      var contact = try await find(call.parameter, sharing)
      contact.isVerified = isCompared
      try await sharing.store.put(contact)
      return HTTPResponse(200, json: try await json(contact, api))
    },
    HomeEndpoint(
      "DELETE", "cards/{code}", "removeCard",
      "Remove a card: nothing more is taken from its owner. What is shared stays so until its end.",
      .role(.owner), 204, problems: unknown + [(409, "A contact has this card.")]
    ) { api, call in
      let sharing = try await api.home.sharing()
      let contact = try await find(call.parameter, sharing)
      try await checkUnused(contact, api)
      _ = try await sharing.store.removeContact(contact.name)
      return HTTPResponse(204, nil, [])
    },
  ]

  static let noCodes = ProblemDocument(
    501, "noCodes", "The home cannot draw codes.", detail: "it has no libqrencode")

  static func answer(_ svg: String) -> HTTPResponse {
    var response = HTTPResponse(200, "image/svg+xml", Array(svg.utf8))
    response.headers.append(("Content-Security-Policy", "default-src 'none'; sandbox"))
    return response
  }

  private static func own(_ api: HomeAPI) async throws -> ContactCard {
    guard let card = try await api.home.sharing().card() else {
      throw ProblemDocument.notFound("this home has no contact card yet")
    }
    return card
  }

  private static func make(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let members = try call.members()
    let isNew = try members.optional("new") != nil && flag("new", members)
    let sharing = try await api.home.sharing()
    let present = try await sharing.card()
    let given = try members.optionalString("name", limit: ContactCard.nameLimit)
    let name = try checked(given ?? present?.name ?? "")
    guard let card = try await sharing.makeCard(name: name, withNewKey: isNew) else {
      throw noName
    }
    return HTTPResponse(200, json: try json(card))
  }

  private static func json(_ card: ContactCard) throws -> JSONValue {
    [
      "name": .string(card.name), "text": .string(card.text), "code": .string(try card.key.code()),
    ]
  }

  /// The one whose card has a code: who says a code means that key, whatever its owner is called.
  static func find(_ code: String, _ sharing: TrackerSharing) async throws -> ContactRow {
    for contact in try await sharing.store.contacts() {
      if try ContactKey(contact.key)?.code() == code { return contact }
    }
    throw ProblemDocument.notFound("nobody's card has this code")
  }

  /// Refuses to remove a card that would come back with the contact whose card it is.
  private static func checkUnused(_ card: ContactRow, _ api: HomeAPI) async throws {
    for contact in try await HomeObjectKeeper(.contacts, api).list() {
      guard let text = contact.value["card"]?.text,
        let other = try? ContactCard(text: text), other.key.bytes == card.key
      else { continue }
      let place = contact.line.map { "which stands on line \($0) of the file" } ?? "made in the app"
      throw ProblemDocument(
        409, "inUse", "A contact has this card.",
        detail: "it is the card of \(contact.id), \(place)")
    }
  }

  private static func add(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let members = try call.members()
    let card = try await card(members, api)
    let given = try members.optionalString("name", limit: ContactCard.nameLimit)
    let name = try checked(given ?? card.name)
    let email = try members.optionalString("email", limit: 254) ?? ""
    guard email.isEmpty || MailAddress(email) != nil else { throw MailEndpoints.noAddress }
    let sharing = try await api.home.sharing()
    switch try await sharing.conflict(of: card, named: name) {
    case .ownCard: throw refusal(422, "ownCard", "it is the card of this home", field: "text")
    case .name: throw refusal(409, "nameTaken", "somebody is called \(name)", field: "name")
    case .card(let other): throw refusal(409, "cardTaken", "\(other) has it", field: "text")
    case nil: break
    }
    let contact = ContactRow(
      name: name, email: email, key: card.key.bytes, isVerified: false,
      addedAt: call.time.unixMilliseconds / 1000)
    guard try await sharing.store.add(contact) else {
      throw refusal(409, "nameTaken", "somebody is called \(name), or has it", field: "name")
    }
    return HTTPResponse(201, json: try await json(contact, api))
  }

  /// The card that is given as its text, or as a picture of its QR code.
  private static func card(
    _ members: JSONMembers, _ api: HomeAPI
  ) async throws -> ContactCard {
    guard members.optional("picture") != nil else {
      return try card(try members.string("text"), field: "text")
    }
    let lines = try await TrackerObjects.codes(in: try members.string("picture"), api) {
      refusal(422, "card", $0, field: "picture")
    }
    let texts = String(decoding: lines, as: UTF8.self).split(separator: "\n")
    guard let text = texts.first(where: { $0.hasPrefix(ContactCard.prefix) }) else {
      throw refusal(422, "card", "the picture shows no contact card", field: "picture")
    }
    return try card(String(text), field: "picture")
  }

  private static func card(
    _ text: String, field: String
  ) throws(ProblemDocument) -> ContactCard {
    do throws(CardRejection) {
      return try ContactCard(text: text)
    } catch {
      throw refusal(422, "card", "\(error)", field: field)
    }
  }

  private static func json(_ contact: ContactRow, _ api: HomeAPI) async throws -> JSONValue {
    let code = try ContactKey(contact.key)?.code()
    return [
      "name": .string(contact.name), "code": .string(code ?? ""),
      "compared": .bool(contact.isVerified),
      "mail": await api.home.mailAddress(of: contact).map { .string($0) } ?? .null,
      "addedAt": .string(Timestamp(unixMilliseconds: contact.addedAt * 1000).rfc3339),
    ]
  }

  private static let noName = ProblemDocument(
    422, "name", "Nobody can be called so.",
    detail: "1 to \(ContactCard.nameLimit) bytes on one line", members: ["field": "name"])

  /// A name on one line.
  private static func checked(_ text: String) throws(ProblemDocument) -> String {
    let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard (1...ContactCard.nameLimit).contains(text.utf8.count), isPrintable else { throw noName }
    return text
  }

  private static func refusal(
    _ status: Int, _ code: String, _ detail: String, field: String
  ) -> ProblemDocument {
    ProblemDocument(
      status, code, "The card is not taken.", detail: detail, members: ["field": .string(field)])
  }

  /// A member that is true or false.
  static func flag(_ name: String, _ members: JSONMembers) throws(FormatError) -> Bool {
    switch members.object[name] {
    case .bool(let value)?: return value
    case nil: throw FormatError(name, "is missing")
    default: throw FormatError(name, "is not true or false")
    }
  }
}
