import Diagnosis
import EventLoop
import Glibc
package import UplinkProtocol

/// What a check replays: a recording and its control, from files.
package struct UplinkReplay: Sendable {
  /// With less of what a server sends nothing can be said, bytes.
  private static let leastAnswer: Int64 = 64 << 10

  /// What a network may recognise.
  package let original: Recording
  /// What it does not.
  package let control: Recording
  /// Whether it is a test of ports, which is shorter.
  package let isPortTest: Bool
  /// How long one replay is said to take, s.
  package let seconds: Double

  /// What a test of it takes, bytes; nil where only the server knows.
  package var volume: Int64? {
    guard let original = ReplayVolume.expected(original) else { return nil }
    return ReplayVolume.expected(control).map { original + $0 }
  }

  /// What a test of it takes at least, bytes: all of it, or, where only the server knows what it sends, a little of
  /// that.
  package var least: Int64 { volume ?? sent + 2 * UplinkReplay.leastAnswer }

  /// What goes to the server, bytes on the link, with what is said beside.
  private var sent: Int64 {
    [original, control].reduce(0) { $0 + ReplayVolume.bytes($1.sentBytes, of: $1) }
  }

  /// How many bytes each of the two replays may receive, where a test may take so many; nil where it is known what
  /// comes.
  package func limit(in volume: Int64) -> Int? {
    self.volume == nil ? Int(max(0, volume - sent) * 4 / 9) : nil
  }

  /// What one of the two replays takes at most, where a test takes so many bytes.
  package func half(of volume: Int64) -> Int64 {
    let sides = [original, control].compactMap { ReplayVolume.expected($0) }
    return sides.count == 2 ? sides.reduce(0, max) : volume / 2
  }

  /// What a test of it took.
  package func used(_ comparison: ReplayComparison) -> Int64 {
    ReplayVolume.bytes(comparison.original.bytes, of: original)
      + ReplayVolume.bytes(comparison.control.bytes, of: control)
  }

  /// The replays that files name: recordings, and lists of apps.
  ///
  /// - Parameter names: the apps of lists that are wanted; empty for all of them.
  /// - Throws: ``UplinkError`` of kind `denied`, `unreadable`, `profile` or `noSuchApp`.
  package static func read(
    _ paths: [String], apps names: [String] = []
  ) async throws(UplinkError) -> [UplinkReplay] {
    let wanted = Set(names)
    var missing = wanted
    var replays: [UplinkReplay] = []
    for path in paths {
      if let profile = BuiltInProfile(rawValue: path) {
        guard profile != .recorded else {
          throw UplinkError(
            .profile, "\(path) stands for any recording", remedy: "name the file of one instead")
        }
        throw UplinkError(
          .profile, "\(profile.rawValue) is a profile of slots, and others are recordings",
          remedy: "check them one after the other: they need different servers")
      }
      switch try await ProfileFile.read(path) {
      case .recording(let original): replays.append(try await replay(original, beside: path))
      case .apps(let list):
        for app in list.apps where names.isEmpty || wanted.contains(app.name) {
          missing.remove(app.name)
          replays.append(try await replay(app, beside: path))
        }
      }
    }
    if let name = missing.first {
      throw UplinkError(
        .noSuchApp, "no list has the app \(name)", remedy: "name one of those in the list")
    }
    return replays
  }

  private static func replay(
    _ original: Recording, beside path: String
  ) async throws(UplinkError) -> UplinkReplay {
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
  ) async throws(UplinkError) -> UplinkReplay {
    let original = try await recording(place(of: app.replay, beside: path))
    var control = original.inverted
    if let name = app.control { control = try await recording(place(of: name, beside: path)) }
    return try UplinkReplay(
      original, control, isPortTest: app.portTest != nil, seconds: app.seconds ?? original.seconds)
  }

  private init(
    _ original: Recording, _ control: Recording?, isPortTest: Bool, seconds: Double
  ) throws(UplinkError) {
    guard let control else {
      throw UplinkError(
        .unreadable, "the name \(original.name.text) is too long for a control",
        remedy: "use a recording with a shorter name")
    }
    self.original = original
    self.control = control
    self.isPortTest = isPortTest
    self.seconds = seconds
  }

  private static func recording(_ path: String) async throws(UplinkError) -> Recording {
    guard case .recording(let recording) = try await ProfileFile.read(path) else {
      throw UplinkError(
        .unreadable, "\(path) is a list of apps, and a recording is asked for",
        remedy: "check the names in the list")
    }
    return recording
  }

  private static func place(of name: ReplayName, beside path: String) -> String {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return path[..<end] + name.clientFile
  }
}
