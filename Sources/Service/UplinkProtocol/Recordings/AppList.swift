public import LunaJSON

/// A list of apps to test, in the spelling of either of Wehe's apps (UPLINK.md, 4).
public struct AppList: Hashable, Sendable {
  /// The apps, in order.
  public let apps: [AppEntry]
  /// The controls of the tests of ports.
  private let controls: [PortTest: ReplayName]

  /// A list of apps.
  public init(_ apps: [AppEntry]) {
    self.apps = apps
    controls = [:]
  }

  /// Reads a file.
  ///
  /// - Throws: what is wrong with it; where it is an app, its number from 1 and its field.
  public init(_ bytes: [UInt8]) throws(RecordingError) {
    self = try RecordingDocument.read(bytes) { json throws(FormatError) in
      try AppList(json: json)
    }
  }

  init(json: JSONValue) throws(FormatError) {
    let fields = try RecordingFields(json, "the list")
    var controls: [PortTest: ReplayName] = [:]
    for test in PortTest.allCases where fields[test.controlField] != nil {
      guard let name = ReplayName(file: try fields.text(test.controlField)) else {
        throw fields.problem(test.controlField, "is no file of a replay: \(ReplayName.form)")
      }
      controls[test] = name
    }
    var apps: [AppEntry] = []
    for (index, value) in try fields.array("apps").enumerated() {
      apps.append(
        try AppEntry(RecordingFields(value, "app \(index + 1)")) { controls[$0] })
    }
    self.apps = apps
    self.controls = controls
  }

  /// The list as it is written.
  public var json: JSONValue {
    var object: JSONObject = ["apps": .array(apps.map(\.json))]
    for test in PortTest.allCases {
      if let name = controls[test] { object.append(test.controlField, .string(name.clientFile)) }
    }
    return .object(object)
  }
}
