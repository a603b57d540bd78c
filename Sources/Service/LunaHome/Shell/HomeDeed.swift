import LunaJSON
import LunaStore

/// An action of a rule that is carried out now.
struct HomeDeed: Sendable {
  let firing: String
  /// What began its rule; nil where that is not known.
  let trigger: String?
  let index: Int
  let name: String
  let parameters: JSONObject
  /// What the action is given where that is one word, as `start`.
  let word: String
  let trackers: [String]
  /// All of it, for a program.
  let document: JSONValue

  init(_ request: HomeActionRequest) {
    firing = request.firing
    trigger = request.cause.trigger
    index = request.index
    name = request.name
    trackers = request.trackers
    document = HomeEffect.action(request).json
    (parameters, word) = HomeDeed.parts(request.parameters)
  }

  /// What was noted of it before a crash; nil where that cannot be read.
  init?(_ outcome: HomeOutcome) {
    guard let json = try? JSONReader.read(Array(outcome.request.utf8)), case .object(let all) = json
    else { return nil }
    firing = outcome.firing
    trigger = outcome.trigger
    index = outcome.action
    name = outcome.name
    trackers = []
    document = json
    (parameters, word) = HomeDeed.parts(all["parameters"] ?? .null)
  }

  private static func parts(_ json: JSONValue) -> (JSONObject, String) {
    switch json {
    case .object(let object): (object, "")
    case .string(let word): (JSONObject(), word)
    default: (JSONObject(), "")
    }
  }

  func text(_ name: String) -> String? {
    if case .string(let text)? = parameters[name] { text } else { nil }
  }

  /// What people would ask a tracker for it.
  var asked: String {
    switch name {
    case "buzz": "turn_on"
    case "stopSound": "turn_off"
    default: name
    }
  }

  /// For how long a tracker sounds.
  var seconds: UInt16 {
    if case .integer(let seconds)? = parameters["seconds"] { UInt16(clamping: seconds) } else { 12 }
  }
}
