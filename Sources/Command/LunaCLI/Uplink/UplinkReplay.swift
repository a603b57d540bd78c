import EventLoop
import Glibc
import UplinkProtocol

/// What a check replays: a recording and its control, from files.
struct UplinkReplay: Sendable {
  private static let appPrefix = "app:"

  /// What a network may recognise.
  let original: Recording
  /// What it does not.
  let control: Recording
  /// Whether it is a test of ports, which is shorter.
  let isPortTest: Bool
  /// How long one replay is said to take, s.
  let seconds: Double

  /// What a test of it takes, bytes; nil where only the server knows.
  var volume: Int64? {
    guard let original = ReplayVolume.expected(original) else { return nil }
    return ReplayVolume.expected(control).map { original + $0 }
  }

  /// What a test of it took.
  func used(_ comparison: ReplayComparison) -> Int64 {
    ReplayVolume.bytes(comparison.original.bytes, of: original)
      + ReplayVolume.bytes(comparison.control.bytes, of: control)
  }

  /// The replays that words name: files of recordings, and lists of apps, of which `app:NAME` chooses some.
  static func read(_ words: [String]) async throws(CommandFailure) -> [UplinkReplay] {
    let chosen = words.filter { $0.hasPrefix(appPrefix) }.map { $0.dropFirst(appPrefix.count) }
    var missing = Set(chosen)
    var replays: [UplinkReplay] = []
    for path in words where !path.hasPrefix(appPrefix) {
      if let profile = BuiltInProfile(rawValue: path) {
        throw CommandFailure(
          .usage, "\(profile.rawValue) is a profile of slots, and others are recordings",
          hint: "check them one after the other: they need different servers")
      }
      switch try await UplinkProfiles.read(path) {
      case .recording(let original): replays.append(try await replay(original, beside: path))
      case .apps(let list):
        for app in list.apps where chosen.isEmpty || missing.remove(app.name[...]) != nil {
          replays.append(try await replay(app, beside: path))
        }
      }
    }
    if let name = missing.first {
      throw CommandFailure(
        .notFound, "no list has the app \(name)", hint: "luna uplink profiles LIST shows its apps")
    }
    return replays
  }

  private static func replay(
    _ original: Recording, beside path: String
  ) async throws(CommandFailure) -> UplinkReplay {
    var control = original.inverted
    if let file = original.name.control.map({ place(of: $0, beside: path) }),
      await Blocking.run({ access(file, F_OK) == 0 })
    {
      control = try await recording(file)
    }
    return try UplinkReplay(original, control, isPortTest: false, seconds: original.seconds)
  }

  private static func replay(
    _ app: AppEntry, beside path: String
  ) async throws(CommandFailure) -> UplinkReplay {
    let original = try await recording(place(of: app.replay, beside: path))
    var control = original.inverted
    if let name = app.control { control = try await recording(place(of: name, beside: path)) }
    return try UplinkReplay(
      original, control, isPortTest: app.portTest != nil, seconds: app.seconds ?? original.seconds)
  }

  private init(
    _ original: Recording, _ control: Recording?, isPortTest: Bool, seconds: Double
  ) throws(CommandFailure) {
    guard let control else {
      throw CommandFailure(
        .unreadableInput, "the name \(original.name.text) is too long for a control",
        hint: "use a recording with a shorter name")
    }
    self.original = original
    self.control = control
    self.isPortTest = isPortTest
    self.seconds = seconds
  }

  private static func recording(_ path: String) async throws(CommandFailure) -> Recording {
    guard case .recording(let recording) = try await UplinkProfiles.read(path) else {
      throw CommandFailure(
        .unreadableInput, "\(path) is a list of apps, and a recording is asked for",
        hint: "check the names in the list")
    }
    return recording
  }

  private static func place(of name: ReplayName, beside path: String) -> String {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return path[..<end] + name.clientFile
  }
}
