import Bluetooth
import Diagnosis
import HTTPServer
import JSONWebToken
import LunaCore
import LunaCrypto
import LunaJSON
import WebAccess

/// `session/passkey`, `me/passkeys`: signing in by what an authenticator keeps, instead of name, password and code.
enum PasskeyEndpoints {
  private static let nowhere = (
    status: 409, when: "Browsers keep no passkeys for this address."
  )

  static let all = [
    HomeEndpoint(
      "GET", "session/passkey", "askPasskey", "Get what a passkey signs to sign in.", .open,
      problems: [nowhere, (429, "Too many tries; see Retry-After.")]
    ) { api, call in
      let here = try party(api, call)
      try api.checkRate(call)
      return HTTPResponse(
        200,
        json: [
          "challenge": .string(try api.challenges.make(for: nil, at: call.time)),
          "party": .string(here.id),
        ])
    },
    HomeEndpoint(
      "POST", "session/passkey", "signInPasskey",
      "Sign in with a passkey. Its authenticator has to know who is there.", .open,
      body: "PasskeyProof", problems: SessionEndpoints.problems + [nowhere]
    ) { api, call in try await signIn(api, call) },
    HomeEndpoint(
      "GET", "me/passkeys", "listPasskeys",
      "See one's passkeys, and what a browser needs to make another one.", .session,
      answer: "Passkeys"
    ) { api, call in
      let name = try call.caller().name
      let passkeys = try await api.accounts.passkeys(of: name)
      return HTTPResponse(
        200,
        json: [
          "passkeys": .array(passkeys.map(json)), "new": try invitation(name, api, call),
        ])
    },
    HomeEndpoint(
      "POST", "me/passkeys", "addPasskey", "Keep a passkey that a browser has made.", .session,
      body: "NewPasskey", 201,
      problems: [
        (403, "The password is wrong."),
        (409, "It is there already, there are too many, or browsers keep none for this address."),
        (422, "It is none for this home."),
      ]
    ) { api, call in try await add(api, call) },
    HomeEndpoint(
      "DELETE", "me/passkeys/{id}", "removePasskey", "Remove one of one's passkeys.", .session, 204,
      problems: [(404, "None of one's own has this id.")]
    ) { api, call in
      let id = Base64URL.decode(call.parameter.utf8) ?? []
      guard try await api.accounts.remove(passkey: id, of: try call.caller().name) else {
        throw ProblemDocument.notFound("no passkey of yours has this id")
      }
      return HTTPResponse(204, nil, [])
    },
  ]

  private static func party(_ api: HomeAPI, _ call: HomeCall) throws -> PasskeyParty {
    guard let party = api.browsers.party(for: call.request.head) else {
      throw ProblemDocument(
        409, "noPasskeys", "Browsers keep no passkeys for this address.",
        detail: "they do for a name by https, as server.publicUrl of the file, and for localhost")
    }
    return party
  }

  private static func bytes(_ name: String, _ members: JSONMembers) throws -> [UInt8] {
    guard let bytes = Base64URL.decode(try members.string(name).utf8) else {
      throw FormatError(name, "is not base64url")
    }
    return bytes
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: Base64URL.encode(bytes), as: UTF8.self)
  }

  private static func signIn(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    try api.browsers.checkOrigin(call.request.head)
    let members = try call.members()
    let (id, clientData) = (try bytes("id", members), try bytes("clientData", members))
    let (said, signature) = (
      try bytes("authenticatorData", members), try bytes("signature", members)
    )
    let party = try party(api, call)
    try api.checkRate(call)
    let challenge = party.challenge(in: clientData, of: "webauthn.get")
    guard api.challenges.use(challenge, for: nil, at: call.time),
      let passkey = try await api.accounts.passkey(id),
      let data = AuthenticatorData(said), try party.accepts(data),
      try isSigned(clientData, said, by: passkey, signature),
      let account = try await api.accounts.account(passkey.account), account.canSignIn,
      account.isGood(at: call.time), try await api.accounts.use(passkey, count: data.count)
    else { throw SessionEndpoints.wrong }
    return try await SessionEndpoints.begin(account, api, call)
  }

  private static func isSigned(
    _ clientData: [UInt8], _ said: [UInt8], by passkey: Passkey, _ signature: [UInt8]
  ) throws(CryptoError) -> Bool {
    let digest = try SHA256.digest(of: clientData.span)
    let message = said + digest.indices.map { digest[$0] }
    return try passkey.key.verifier()
      .isSignature(signature.span, of: message.span, isDER: true)
  }

  /// What a browser needs to make one; null where it keeps none for this address.
  private static func invitation(
    _ name: String, _ api: HomeAPI, _ call: HomeCall
  ) throws -> JSONValue {
    guard let party = api.browsers.party(for: call.request.head) else { return .null }
    return [
      "challenge": .string(try api.challenges.make(for: name, at: call.time)),
      "party": .string(party.id),
      // Authenticators show this to nobody.
      "user": .string(text(try SecretDigest.of("luna/1/home-account/" + name))),
      "account": .string(name),
    ]
  }

  private static func add(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let account = try call.caller().name
    let members = try call.members()
    let clientData = try bytes("clientData", members)
    let said = try bytes("authenticatorData", members)
    let name = try members.optionalString("name", limit: 80) ?? ""
    let party = try party(api, call)
    _ = try await SelfEndpoints.check(try members.string("password"), of: account, api)
    let challenge = party.challenge(in: clientData, of: "webauthn.create")
    guard api.challenges.use(challenge, for: account, at: call.time),
      let data = AuthenticatorData(said), try party.accepts(data), let id = data.id,
      let key = PasskeyKey(prefixOf: data.key), (try? key.verifier()) != nil
    else {
      throw ProblemDocument(
        422, "passkey", "This is no passkey for this home.",
        detail: "it was made for another page or too long ago, by an authenticator that does not "
          + "know who is there, or has a key that is none of ES256, EdDSA and RS256")
    }
    let passkey = Passkey(
      id: id, account: account, key: key, count: data.count, name: name.isEmpty ? "Passkey" : name,
      createdAt: call.time)
    guard try await api.accounts.add(passkey) else {
      throw ProblemDocument(
        409, "tooMany", "This passkey is not kept.",
        detail: "it is there already, or this account has too many")
    }
    return HTTPResponse(201, json: json(passkey))
  }

  private static func json(_ passkey: Passkey) -> JSONValue {
    [
      "id": .string(text(passkey.id)), "name": .string(passkey.name),
      "createdAt": .string(passkey.createdAt.rfc3339),
    ]
  }
}
