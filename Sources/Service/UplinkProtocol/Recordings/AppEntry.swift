import LunaJSON

/// An app of a list: two replays to compare.
public struct AppEntry: Hashable, Sendable {
  /// So many characters may a name, an icon or a category have.
  private static let limit = 100

  /// What people call it: 1 to 100 characters, of anybody.
  public let name: String
  /// How much is transferred, MB; nil where the list does not tell.
  public let size: Double?
  /// How long one replay takes, s; nil where the list does not tell.
  public let seconds: Double?
  /// The name of a picture, which Luna does not show.
  public let icon: String?
  /// The original.
  public let replay: ReplayName
  /// The control; nil where the original with all bits the other way round stands for it.
  public let control: ReplayName?
  /// What sort of app it is, in the words of the list.
  public let category: String?
  /// Whether it is for France alone.
  public let isFrenchOnly: Bool

  /// Which test of ports it is; nil when it is an app.
  public var portTest: PortTest? { category.flatMap { PortTest(rawValue: $0) } }

  /// An app.
  ///
  /// - Parameters:
  ///   - size: MB.
  ///   - seconds: how long one replay takes.
  public init(
    name: String, size: Double?, seconds: Double?, replay: ReplayName, control: ReplayName?,
    category: String?, icon: String? = nil
  ) {
    self.name = name
    self.size = size
    self.seconds = seconds
    self.replay = replay
    self.control = control
    self.category = category
    self.icon = icon
    isFrenchOnly = false
  }

  /// - Parameter controlOf: the control of a test of ports; nil where the list names none.
  init(
    _ fields: RecordingFields, controlOf: (PortTest) -> ReplayName?
  ) throws(FormatError) {
    func text(_ spelling: String) throws(FormatError) -> String? {
      guard fields[spelling] != nil else { return nil }
      let text = try fields.text(spelling)
      guard text.unicodeScalars.count <= AppEntry.limit else {
        throw fields.problem(spelling, "has more than \(AppEntry.limit) characters")
      }
      return text
    }
    func replay(_ spelling: String) throws(FormatError) -> ReplayName {
      guard let name = ReplayName(file: try fields.text(spelling)) else {
        throw fields.problem(spelling, "is no file of a replay: \(ReplayName.form)")
      }
      return name
    }
    guard let name = try text("name"), !name.isEmpty else {
      throw fields.problem("name", "is missing")
    }
    self.name = name
    size = try fields["size"] == nil ? nil : fields.number("size", in: 0...1e6)
    seconds = try fields["time"] == nil ? nil : fields.time("time")
    icon = try text(fields.spelling("icon", "image"))
    category = try text(fields.spelling("appType", "category"))
    isFrenchOnly = try fields["frenchOnly"] == nil ? false : fields.bool("frenchOnly")
    self.replay = try replay(fields.spelling("replayFile", "datafile"))
    if let test = category.flatMap({ PortTest(rawValue: $0) }) {
      guard let file = controlOf(test) else {
        throw FormatError(test.controlField, "is missing, and \(fields.name) needs it")
      }
      control = file
    } else {
      let spelling = fields.spelling("randomReplayFile", "randomdatafile")
      control = try fields[spelling] == nil ? nil : replay(spelling)
    }
  }

  var json: JSONValue {
    var object: JSONObject = ["name": .string(name)]
    if let size { object.append("size", .real(size)) }
    if let seconds { object.append("time", .real(seconds)) }
    // Each of Wehe's programs reads one spelling alone.
    let texts: [(String, String, String?)] = [
      ("icon", "image", icon), ("replayFile", "datafile", replay.clientFile),
      ("randomReplayFile", "randomdatafile", control?.clientFile),
      ("appType", "category", category),
    ]
    for (one, other, text) in texts {
      guard let text else { continue }
      object.append(one, .string(text))
      object.append(other, .string(text))
    }
    object.append("frenchOnly", .bool(isFrenchOnly))
    return .object(object)
  }
}
