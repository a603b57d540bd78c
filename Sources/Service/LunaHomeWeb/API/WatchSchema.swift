import LunaHome
import LunaJSON

/// The schemas of what speaks for a tracker's staying with the box: evidence that is given to others has to keep to
/// them.
enum WatchSchema {
  private static let text: JSONValue = ["type": "string"]
  private static let time: JSONValue = ["type": "string", "format": "date-time"]
  private static let number: JSONValue = ["type": "number"]
  private static let count: JSONValue = ["type": "integer"]
  private static let share: JSONValue = ["type": "number", "minimum": 0, "maximum": 1]
  private static let yesOrNo: JSONValue = ["type": "boolean"]

  /// A trip that it was heard on; the numbers are slots of two minutes, and metres.
  private static let ride = object([
    ("begin", time), ("end", time), ("fromLatitude", number), ("fromLongitude", number),
    ("toLatitude", number), ("toLongitude", number), ("metres", count), ("heard", count),
    ("listened", count), ("after", count), ("made", yesOrNo),
  ])

  private static let link = object([("from", text), ("to", text), ("confidence", share)])

  private static let said = object([("as", word(LunaHome.marks)), ("by", text), ("time", time)])

  /// What its family lets somebody do who does not own it, and whom.
  private static let access = object([("anyone", yesOrNo), ("who", text)])

  private static let allows = object([("ring", access), ("identify", access)])

  /// What it has told of itself; what it did not tell is left out.
  private static let identity = object(
    [
      ("type", word(["identity"])), ("time", time), ("productData", text), ("manufacturer", text),
      ("model", text), ("category", count), ("categoryName", text), ("protocolVersion", text),
      ("capabilities", list(text)), ("network", count), ("networkName", text), ("firmware", text),
      ("batteryType", text), ("battery", text), ("networkVersion", text),
      ("encryptedIdentifier", text),
    ], required: ["type", "time"])

  /// One of them, with all that speaks for it.
  static let suspect = object([
    ("type", word(["suspect"])), ("id", text), ("time", time), ("told", time),
    ("grade", word(["notice", "suspect", "possible", "alarm"])), ("family", text),
    ("identifiers", list(text)), ("confidence", share), ("trips", count), ("places", count),
    ("minutes", count), ("metres", count), ("reasons", list(text)), ("rssi", orNull(count)),
    ("rides", list(ride)), ("links", list(link)), ("excluded", orNull(text)),
    ("tracker", orNull(text)), ("mark", orNull(said)), ("changes", yesOrNo),
    ("allows", allows), ("identity", orNull(identity)),
  ])

  private static let listened = object([
    ("hours", number), ("trips", count), ("gaps", count), ("gapMinutes", count),
    ("identifiers", count), ("forgotten", count),
  ])

  /// All of them, beside what was listened to and what cannot be found.
  static let suspects = object([
    ("enabled", yesOrNo), ("discreet", yesOrNo), ("sensitivity", text), ("since", orNull(time)),
    ("families", list(text)), ("listened", orNull(listened)), ("cannotFind", list(text)),
    ("suspects", list(suspect)), ("excluded", list(suspect)),
  ])

  /// What an owner says of one.
  static let mark: JSONValue = [
    "type": "object", "properties": ["as": orNull(word(LunaHome.marks))], "required": ["as"],
  ]

  /// An object with these members and no others.
  ///
  /// - Parameter required: those that are always there; nil for all of them.
  private static func object(
    _ members: [(name: String, type: JSONValue)], required: [String]? = nil
  ) -> JSONValue {
    var properties = JSONObject()
    for member in members { properties.append(member.name, member.type) }
    return [
      "type": "object", "properties": .object(properties),
      "required": .array((required ?? members.map(\.name)).map { .string($0) }),
      "additionalProperties": false,
    ]
  }

  private static func list(_ type: JSONValue) -> JSONValue { ["type": "array", "items": type] }

  private static func word(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  private static func orNull(_ type: JSONValue) -> JSONValue {
    ["anyOf": [type, ["type": "null"]]]
  }
}
