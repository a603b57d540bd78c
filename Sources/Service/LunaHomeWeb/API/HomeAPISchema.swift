import LunaJSON
import WebAccess

/// The schemas of the API, and the ways to say who calls.
enum HomeAPISchema {
  static let components: JSONValue = [
    "schemas": [
      "Object": ["type": "object"],
      "Problem": [
        "type": "object",
        "properties": [
          "type": text, "title": text, "status": ["type": "integer"], "code": text, "detail": text,
        ], "required": ["type", "title", "status", "code"],
      ],
      "SignIn": object(["name", "password"]), "Code": object(["code"]),
      "LinkUse": object(["secret", "password"]),
      "Setup": [
        "type": "object", "properties": ["secret": text, "name": text, "password": text],
        "required": ["secret"],
      ],
      "PasswordChange": object(["old", "new"]), "PasswordProof": object(["password"]),
      "Passphrase": object(["passphrase"]), "Email": object(["email", "password"]),
      "Secret": object(["secret"]), "AccountName": object(["name"]),
      "PasskeyProof": object(["id", "clientData", "authenticatorData", "signature"]),
      "NewPasskey": [
        "type": "object",
        "properties": [
          "password": text, "name": text, "clientData": text, "authenticatorData": text,
        ], "required": ["password", "clientData", "authenticatorData"],
      ],
      "PushSubscription": [
        "type": "object",
        "properties": [
          "contact": text, "endpoint": text,
          "keys": ["type": "object", "properties": ["p256dh": text, "auth": text]],
        ], "required": ["contact", "endpoint", "keys"],
      ],
      "Do": [
        "type": "object", "properties": ["action": text, "value": true], "required": ["action"],
      ],
      "Place": [
        "type": "object",
        "properties": [
          "id": text, "name": text, "latitude": degrees(90), "longitude": degrees(180),
          "radius": ["type": "number", "minimum": 30, "maximum": 1_000_000],
          "leaveRadius": ["type": "number", "minimum": 30, "maximum": 2_000_000],
          "enterAfter": text, "leaveAfter": text, "dwell": text, "color": text,
        ], "required": ["latitude", "longitude", "radius"],
      ],
      "ShownPlace": shown("Place", ["managedBy": text]),
      "Places": lists([("places", "ShownPlace")]),
      "Rule": [
        "type": "object",
        "properties": [
          "id": text, "name": text, "when": ["type": "array", "items": ["type": "object"]],
          "then": ["type": "array", "items": ["type": "object"]], "if": ["type": "object"],
          "enabled": ["type": "boolean"], "for": text, "cooldown": text,
          "maxPerHour": ["type": "integer", "minimum": 1, "maximum": 3600],
          "quiet": ["type": "string", "enum": ["deliver", "delay", "drop"]],
          "level": ["type": "string", "enum": ["info", "warn", "alarm"]],
        ], "required": ["when", "then"],
      ],
      "ShownRule": shown("Rule", ["managedBy": text, "status": ["type": "object"]]),
      "Rules": lists([("rules", "ShownRule")]), "Firings": lists([("firings", "Object")]),
      "Run": object(["rule", "time"]), "Runs": lists([("runs", "Run")]),
      "RuleTest": [
        "type": "object",
        "properties": ["rule": ["type": "object"], "from": text, "to": text],
      ],
      "Account": [
        "type": "object",
        "properties": [
          "name": text, "role": ["type": "string", "enum": ["owner", "member", "guest"]],
          "trackers": ["type": "array", "items": text], "see": ["type": "array", "items": text],
          "until": orNull("string"),
        ], "required": ["role"],
      ],
      "ShownAccount": shown(
        "Account", ["state": text, "totp": ["type": "boolean"], "createdAt": text]),
      "Accounts": lists([("accounts", "ShownAccount")]),
      "HomeName": object(["name"]),
      "Contact": [
        "type": "object",
        "properties": [
          "id": text, "name": text, "email": text, "phone": text, "ntfy": text,
          "push": ["type": "boolean"], "card": text,
          "quiet": ["type": "array", "items": ["type": "object"]],
        ],
      ],
      "ShownContact": shown("Contact", ["managedBy": text]),
      "Contacts": lists([("contacts", "ShownContact")]),
      "Tracker": [
        "type": "object",
        "properties": [
          "id": text, "name": text, "device": orNull("string"), "model": text,
          "icon": orNull("string"), "tags": ["type": "array", "items": text],
          "actions": ["type": "array", "items": text], "properties": ["type": "object"],
          "sharedUntil": orNull("string"), "keepDays": ["type": "integer"], "managedBy": text,
        ],
      ],
      "Trackers": lists(
        [("trackers", "Tracker"), ("notices", "Object")],
        [
          "name": text, "time": text, "revision": text, "radio": orNull("object"),
          "backend": orNull("object"), "broker": orNull("object"), "uplink": orNull("object"),
          "names": ["type": "object"],
        ]),
      "FileProblems": lists([("problems", "Object"), ("notices", "Object")]),
      "Outbox": lists([("waiting", "Object"), ("failed", "Object"), ("sent", "Object")]),
      "Passkeys": lists([("passkeys", "Object")], ["new": orNull("object")]),
      "TrackerChange": [
        "type": "object",
        "properties": [
          "name": orNull("string"), "icon": orNull("string"),
          "tags": ["type": ["array", "null"], "items": text], "keepDays": orNull("integer"),
        ],
      ],
      "Onboarding": [
        "type": "object", "properties": ["code": text, "picture": text, "name": text],
      ],
      "NotificationTest": ["type": "object", "properties": ["channel": text, "contact": text]],
      "Snooze": ["type": "object", "properties": ["seconds": ["type": "integer"]]],
      "OwnCard": [
        "type": "object", "properties": ["name": text, "new": ["type": "boolean"]],
      ],
      "ContactCard": [
        "type": "object",
        "properties": ["text": text, "picture": text, "name": text, "email": text],
      ],
      "Card": object(["name", "text", "code"]),
      "ShownCard": [
        "type": "object",
        "properties": [
          "name": text, "code": text, "compared": ["type": "boolean"], "mail": orNull("string"),
          "addedAt": text,
        ],
      ],
      "Cards": lists([("cards", "ShownCard")]),
      "CardMark": [
        "type": "object", "properties": ["compared": ["type": "boolean"]],
        "required": ["compared"],
      ],
      "Share": share,
      "Shares": lists(
        [("given", "Object"), ("received", "Object")],
        ["ending": ["type": "array", "items": text]]),
      "ShareRenewal": [
        "type": "object", "properties": ["until": text, "renew": ["type": "boolean"]],
      ],
      "Suspect": WatchSchema.suspect, "Suspects": WatchSchema.suspects,
      "SuspectMark": WatchSchema.mark,
    ],
    "securitySchemes": [
      "token": ["type": "http", "scheme": "bearer"],
      "session": [
        "type": "apiKey", "in": "cookie", "name": "__Host-luna-home",
        "description": "By plain http it is luna-home. Changes need Origin and X-Luna-CSRF too.",
      ],
    ],
  ]

  private static let text: JSONValue = ["type": "string"]

  private static let share: JSONValue = [
    "type": "object",
    "properties": [
      "tracker": text, "card": text,
      "rights": [
        "type": "array", "items": ["type": "string", "enum": ["see", "status", "ring"]],
      ],
      "ringSeconds": ["type": "integer", "minimum": 1, "maximum": 60],
      "ringsPerPeriod": ["type": "integer", "enum": [1, 2, 4, 8]], "until": text,
      "uncompared": ["type": "boolean"], "renew": ["type": "boolean"],
      "past": ["type": "integer", "minimum": 0, "maximum": 399],
    ], "required": ["tracker", "card"],
  ]

  /// What an answer says of an object, beside what can be asked of it.
  private static func shown(_ name: String, _ more: JSONObject) -> JSONValue {
    [
      "type": "object", "allOf": [OpenAPIDocument.reference(name)], "properties": .object(more),
    ]
  }

  /// Lists, with the schemas of what is in them, and what stands beside them.
  private static func lists(
    _ names: [(name: String, schema: String)], _ more: JSONObject = [:]
  ) -> JSONValue {
    var properties = JSONObject()
    for (name, schema) in names {
      properties.append(name, ["type": "array", "items": OpenAPIDocument.reference(schema)])
    }
    properties.members += more.members
    return [
      "type": "object", "properties": .object(properties),
      "required": .array(names.map { .string($0.name) }),
    ]
  }

  private static func orNull(_ type: JSONValue) -> JSONValue {
    ["type": .array([type, "null"])]
  }

  private static func degrees(_ limit: Int64) -> JSONValue {
    ["type": "number", "minimum": .integer(-limit), "maximum": .integer(limit)]
  }

  /// An object of texts, all of which are needed.
  private static func object(_ names: [String]) -> JSONValue {
    var properties = JSONObject()
    for name in names { properties.append(name, text) }
    return [
      "type": "object", "properties": .object(properties),
      "required": .array(names.map { .string($0) }),
    ]
  }
}
