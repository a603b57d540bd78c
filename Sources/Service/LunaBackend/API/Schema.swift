import LunaCore
import LunaJSON
import WebAccess

/// The schemas of the API (JSON Schema 2020-12), by name.
enum Schema {
  static func reference(_ name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  static func string(_ pattern: String) -> JSONValue {
    ["type": "string", "pattern": .string(pattern)]
  }

  static func text(_ limit: Int64) -> JSONValue {
    ["type": "string", "maxLength": .integer(limit)]
  }

  static func integer(_ low: Int64, _ high: Int64) -> JSONValue {
    ["type": "integer", "minimum": .integer(low), "maximum": .integer(high)]
  }

  static func array(of element: JSONValue, _ low: Int64, _ high: Int64) -> JSONValue {
    [
      "type": "array", "items": element, "minItems": .integer(low), "maxItems": .integer(high),
    ]
  }

  static func object(
    _ properties: JSONValue, required: [String], _ description: String? = nil
  ) -> JSONValue {
    var object = JSONObject()
    object.append("type", "object")
    if let description { object.append("description", .string(description)) }
    object.append("properties", properties)
    if !required.isEmpty { object.append("required", .array(required.map { .string($0) })) }
    return .object(object)
  }

  /// A value that may be null, which is as if it were missing.
  static func orNull(_ schema: JSONValue) -> JSONValue {
    ["oneOf": [schema, ["type": "null"]]]
  }

  static func words(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  static let time: JSONValue = ["type": "string", "format": "date-time"]
  private static let day: JSONValue = ["type": "string", "format": "date"]
  private static let heid = string("^[0-9a-f]{32}$")
  private static let requestID = string("^[0-9a-f]{32}$")
  private static let receipt = string("^([A-Za-z0-9+/]{23}=|[A-Za-z0-9+/]{7}=)$")
  /// Where a page ended (``EventPosition``).
  private static let cursor = string("^[0-9a-f]{32}\\.[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[0-9a-f]{32}$")
  private static let uri: JSONValue = ["type": "string", "format": "uri"]
  private static let strings: JSONValue = ["type": "array", "items": ["type": "string"]]
  /// With or without the hyphen; others are taken too, as people type.
  private static let userCode = "^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$"
  private static let signInScope = string("^(account|owner|gateway(:[A-Za-z0-9._-]{1,64})?)$")
  /// A parameter without a value is none (RFC 6749, 3.1).
  private static let signInScopeOrNone =
    string("^(|account|owner|gateway(:[A-Za-z0-9._-]{1,64})?)$")
  private static let accountName = string("^[a-z0-9._-]{1,64}$")
  private static let role = words(AccountRole.allCases.map(\.rawValue))
  private static let csrf = string("^[0-9a-f]{64}$")
  private static let drawing = string("^data:image/png;base64,")
  private static let tokenProperties: [(String, JSONValue)] = [
    ("id", string("^[0-9a-f]{12}$")), ("kind", words(TokenRole.allCases.map(\.rawValue))),
    ("name", text(64)), ("role", role), ("createdAt", time), ("revokedAt", time),
  ]
  static let largest: Int64 = 1 << 53 - 1

  private static let eventProperties: [(String, JSONValue)] = [
    ("protocolVersion", integer(0, 255)), ("heid", heid),
    ("encodedLocation", string("^[A-Za-z0-9+/]{82}==$")), ("esf", string("^[0-9a-f]{6}$")),
    ("day", day),
    (
      "debug",
      orNull(["type": "object", "description": "Only for tests; refused otherwise."])
    ),
  ]
  private static let eventMembers = [
    "protocolVersion", "heid", "encodedLocation", "esf", "day",
  ]

  private static let events = array(
    of: ["description": "An Event; others are rejected one by one."], 0, 1000)

  static func properties(_ members: [(String, JSONValue)]) -> JSONValue {
    var object = JSONObject()
    for (name, value) in members { object.append(name, value) }
    return .object(object)
  }

  /// All schemas.
  static let all = properties(general + telemetry + fleet + dashboard)

  private static let general: [(String, JSONValue)] = [
    ("Any", ["type": "object"]),
    (
      "UplinkPairs",
      object(
        ["pairs": array(of: array(of: ["type": "string", "format": "uri"], 2, 2), 1, 1000)],
        required: ["pairs"])
    ),
    ("Event", object(properties(eventProperties), required: eventMembers)),
    (
      "Upload",
      [
        "oneOf": [
          events,
          object(
            [
              "batchId": orNull(text(128)), "gateway": orNull(reference("GatewayReport")),
              "events": events,
            ], required: ["events"]),
        ]
      ]
    ),
    (
      "GatewayReport",
      object(
        [
          "version": orNull(text(64)), "uptime": orNull(integer(0, largest)),
          "queueDepth": orNull(integer(0, largest)),
        ], required: [])
    ),
    (
      "UploadReply",
      object(
        [
          "results": array(of: reference("EventResult"), 0, 1000),
          "commandRequests": array(of: reference("CommandRequest"), 0, 16),
        ], required: ["results", "commandRequests"])
    ),
    (
      "EventResult",
      object(
        [
          "index": integer(0, 999), "status": words(["accepted", "duplicate", "rejected"]),
          "code": words(EventRejection.allCases.map(\.rawValue)), "permanent": ["type": "boolean"],
        ], required: ["index", "status"])
    ),
    (
      "ControlPackage",
      object(
        [
          "heid": heid, "keyRollingCounter": integer(0, Int64(UInt32.max)),
          "command": words(["buzzStart", "buzzStop", "blink", "ping"]),
          "argument": integer(0, 60), "counter": integer(0, Int64(UInt32.max)),
          "data": string("^[A-Za-z0-9+/]{59}=$"),
        ],
        required: ["heid", "keyRollingCounter", "command", "argument", "counter", "data"],
        "`data` decides; a package whose other members differ from it is refused.")
    ),
    (
      "CommandRequest",
      object(
        [
          "requestId": requestID, "expiresAt": time,
          "controlPackages": array(of: reference("ControlPackage"), 1, 4096),
        ], required: ["requestId", "expiresAt", "controlPackages"])
    ),
    (
      "CommandConfirmation",
      object(
        [
          "requestId": ["type": "string"], "heid": heid,
          "outcome": words(CommandConfirmation.Outcome.allCases.map(\.rawValue)),
          "receipt": orNull(receipt),
          "detail": orNull(text(Int64(CommandConfirmation.detailLimit))),
        ], required: ["requestId", "heid", "outcome"],
        "`receipt` is needed when the outcome is done.")
    ),
    (
      "NewCommand",
      object(
        [
          "controlPackages": array(of: reference("ControlPackage"), 1, 4096), "expiresAt": time,
        ], required: ["controlPackages", "expiresAt"])
    ),
    (
      "Command",
      object(
        [
          "requestId": requestID, "state": words(CommandStatus.State.allCases.map(\.rawValue)),
          "createdAt": time, "expiresAt": time, "offeredUntil": time, "cancelledAt": time,
          "firstHeid": heid, "heid": heid, "receipt": receipt,
          "detail": text(Int64(CommandConfirmation.detailLimit)),
        ], required: ["requestId", "state", "createdAt", "expiresAt"],
        "`offeredUntil`: a gateway has it until then, and has not answered. `firstHeid`: of its first package."
      )
    ),
    (
      "Commands",
      object(["commands": array(of: reference("Command"), 0, 100_000)], required: ["commands"])
    ),
    (
      "EventQuery",
      object(
        [
          "heids": array(of: heid, 0, Int64(EventQuery.limit)), "from": day, "to": day,
          "cursor": orNull(cursor),
        ], required: ["heids", "from", "to"], "`to` is not before `from`.")
    ),
    (
      "StoredEvent",
      object(
        properties(eventProperties + [("receivedAt", time)]),
        required: eventMembers + ["receivedAt"])
    ),
    (
      "EventPage",
      object(
        ["events": array(of: reference("StoredEvent"), 0, 1000), "cursor": cursor],
        required: ["events"])
    ),
    (
      "ProtectedResource",
      object(
        [
          "resource": uri,
          "authorization_servers": ["type": "array", "items": uri, "minItems": 1],
          "bearer_methods_supported": ["type": "array", "items": words(["header"])],
        ], required: ["resource", "authorization_servers"])
    ),
    (
      "AuthorizationServer",
      object(
        [
          "issuer": uri, "device_authorization_endpoint": uri, "token_endpoint": uri,
          "revocation_endpoint": uri, "response_types_supported": ["type": "array"],
          "grant_types_supported": strings, "scopes_supported": strings,
          "token_endpoint_auth_methods_supported": strings,
          "revocation_endpoint_auth_methods_supported": strings,
        ], required: ["issuer", "token_endpoint", "response_types_supported"])
    ),
    (
      "DeviceRequest",
      object(
        ["client_id": words([OwnIssuer.client]), "scope": signInScopeOrNone],
        required: ["client_id"])
    ),
    (
      "DeviceAuthorization",
      object(
        [
          "device_code": string("^luna-device-[0-9a-f]{64}$"),
          "user_code": string(userCode), "verification_uri": uri,
          "verification_uri_complete": uri, "expires_in": integer(1, 600),
          "interval": integer(1, 60),
        ],
        required: ["device_code", "user_code", "verification_uri", "expires_in", "interval"])
    ),
    (
      "TokenRequest",
      object(
        [
          "grant_type": ["type": "string"], "client_id": ["type": "string"],
          "device_code": ["type": "string"], "refresh_token": ["type": "string"],
        ], required: ["grant_type", "client_id"])
    ),
    (
      "TokenAnswer",
      object(
        [
          "access_token": string("^luna-access-[0-9a-f]{64}$"), "token_type": words(["Bearer"]),
          "expires_in": integer(1, IssuedTokens.accessSeconds),
          "refresh_token": string("^luna-refresh-[0-9a-f]{96}$"), "scope": signInScope,
          "sub": text(64),
        ], required: ["access_token", "token_type", "expires_in", "refresh_token", "scope"],
        "`sub` is who is signed in.")
    ),
    (
      "SignInRequest",
      object(
        [
          "userCode": string(userCode), "client": text(64), "scope": signInScope,
          "state": words(["waiting", "approved", "refused"]), "address": text(64),
          "createdAt": time, "expiresAt": time,
          "kind": words(["account", "owner", "gateway"]), "name": text(64),
        ], required: ["userCode", "client", "scope", "state", "createdAt", "expiresAt"],
        "`kind` and `name` are as whom it is signed in.")
    ),
    (
      "SignInDecision",
      object(
        ["approve": ["type": "boolean"], "gateway": orNull(text(64))], required: ["approve"],
        "`gateway` names a gateway that does not say which one it is, or names it otherwise.")
    ),
    (
      "Identity",
      object(
        [
          "id": string("^[0-9a-f]{16}$"), "issuer": ["type": "string"],
          "subject": ["type": "string"], "state": words(["waiting", "linked"]),
          "account": accountName, "gateway": text(64), "owner": text(64), "label": text(100),
          "createdAt": time, "seenAt": time,
        ], required: ["id", "issuer", "subject", "state", "createdAt", "seenAt"])
    ),
    (
      "IdentityList",
      object(
        ["identities": ["type": "array", "items": reference("Identity")]],
        required: ["identities"])
    ),
    (
      "IdentityChange",
      object(
        [
          "account": orNull(accountName), "gateway": orNull(text(64)), "owner": orNull(text(64)),
          "role": orNull(role),
        ], required: [], "One of `account`, `gateway` and `owner`.")
    ),
    (
      "RevocationRequest",
      object(
        [
          "token": ["type": "string"], "token_type_hint": ["type": "string"],
          "client_id": ["type": "string"],
        ], required: ["token"])
    ),
    (
      "OAuthError",
      object(
        [
          "error": words(OAuthError.Code.allCases.map(\.rawValue)),
          "error_description": ["type": "string"],
        ], required: ["error"], "RFC 6749, 5.2.")
    ),
    (
      "SignIn",
      object(["name": text(256), "password": text(1024)], required: ["name", "password"])
    ),
    (
      "SignInReply",
      [
        "oneOf": [
          reference("SessionBegun"),
          object(["totpNeeded": ["const": true]], required: ["totpNeeded"]),
        ]
      ]
    ),
    (
      "SessionBegun",
      object(
        ["account": accountName, "role": role, "csrf": csrf],
        required: ["account", "role", "csrf"], "`csrf` is for the header Luna-CSRF.")
    ),
    (
      "SessionState",
      object(
        [
          "signedIn": ["type": "boolean"], "account": accountName, "role": role, "csrf": csrf,
          "totp": ["type": "boolean"], "totpNeeded": ["type": "boolean"],
          "setupNeeded": ["type": "boolean"], "recordsUsage": ["type": "boolean"],
          "change": ["type": "integer", "minimum": 0],
          "issuers": [
            "type": "array",
            "items": object(
              ["issuer": ["type": "string"], "name": ["type": "string"]],
              required: ["issuer", "name"]),
          ],
        ], required: ["signedIn", "issuers"])
    ),
    ("Code", object(["code": text(64)], required: ["code"])),
    (
      "CodeAndPassword",
      object(["code": text(64), "password": orNull(text(1024))], required: ["code"])
    ),
    ("Password", object(["password": text(1024)], required: ["password"])),
    ("PasswordChange", object(["old": text(1024), "new": text(1024)], required: ["old", "new"])),
    (
      "LinkUse",
      object(
        ["secret": text(256), "name": text(256), "password": text(1024)],
        required: ["secret", "name", "password"])
    ),
    (
      "SecondFactor",
      object(
        [
          "secret": string("^[A-Z2-7]{32}$"), "uri": string("^otpauth://totp/"), "picture": drawing,
        ],
        required: ["secret", "uri"])
    ),
    (
      "RecoveryCodes",
      object(
        ["recoveryCodes": array(of: string("^[a-z2-7]{4}(-[a-z2-7]{4}){3}$"), 10, 10)],
        required: ["recoveryCodes"])
    ),
    (
      "Session",
      object(
        [
          "id": string("^[0-9a-f]{16}$"), "method": text(256), "current": ["type": "boolean"],
          "createdAt": time, "seenAt": time, "expiresAt": time, "address": text(64),
          "agent": text(200),
        ], required: ["id", "method", "current", "createdAt", "seenAt", "expiresAt"])
    ),
    (
      "SessionList",
      object(
        ["sessions": ["type": "array", "items": reference("Session")]], required: ["sessions"])
    ),
    (
      "Account",
      object(
        [
          "name": accountName, "role": role, "state": words(["active", "invited"]),
          "totp": ["type": "boolean"], "createdAt": time,
        ], required: ["name", "role", "state", "totp", "createdAt"])
    ),
    (
      "AccountList",
      object(
        ["accounts": ["type": "array", "items": reference("Account")]], required: ["accounts"])
    ),
    ("NewAccount", object(["name": text(256), "role": role], required: ["name", "role"])),
    (
      "AccountChange",
      object(["role": orNull(role), "invite": orNull(["type": "boolean"])], required: [])
    ),
    (
      "AccountReply",
      object(
        [
          "account": reference("Account"), "invitation": ["type": "string"], "secret": csrf,
          "expiresAt": time, "picture": drawing,
        ], required: ["account"])
    ),
    (
      "Token",
      object(properties(tokenProperties), required: ["id", "kind", "name", "createdAt"])
    ),
    (
      "TokenList",
      object(["tokens": ["type": "array", "items": reference("Token")]], required: ["tokens"])
    ),
    (
      "NewToken",
      object(
        [
          "kind": words(TokenRole.allCases.map(\.rawValue)), "name": text(256),
          "role": orNull(role),
        ], required: ["kind", "name"], "`role` is for admins' tokens alone.")
    ),
    (
      "TokenReply",
      object(
        properties(
          tokenProperties + [("token", string("^luna-(gateway|owner|admin)-[0-9a-f]{64}$"))]),
        required: ["id", "kind", "name", "createdAt", "token"])
    ),
    (
      "Settings",
      object(
        properties(
          TileLook.allCases.map { ($0.settingName, orNull(reference("TileSource"))) } + [
            (HealthLimit.setting, orNull(reference("HealthLimits")))
          ]),
        required: [])
    ),
    ("HealthLimits", HealthLimit.schema),
    (
      "TileSource",
      object(
        ["url": text(512), "attribution": text(200), "on": ["type": "boolean"]], required: ["url"],
        "`url` has {z}, {x} and {y}; browsers ask it only where `on` is true.")
    ),
    (
      "TileList",
      object(
        [
          "looks": [
            "type": "array",
            "items": object(
              [
                "look": words(TileLook.allCases.map(\.rawValue)), "url": text(512),
                "attribution": text(500), "least": integer(0, 24), "most": integer(0, 24),
              ], required: ["look", "url", "attribution"],
              "`least` and `most` are the zoom levels of a file of the backend's own."),
          ]
        ], required: ["looks"])
    ),
    ("Health", object(["status": words(["ok"])], required: ["status"])),
    (
      "Problem",
      object(
        [
          "type": string("^urn:luna:problem:[A-Za-z]+$"), "title": ["type": "string"],
          "status": integer(400, 599), "code": ["type": "string"], "detail": ["type": "string"],
          "instance": string("^urn:luna:request:[0-9a-f]{16}$"),
        ], required: ["type", "title", "status", "code", "instance"],
        "RFC 9457. What else is said of a problem stands beside: `field`, `position`, `column`, "
          + "`errors`, `conflicts`, `gateway`, `change`, `count`.")
    ),
  ]
}
