import Glibc
import LunaCore
import LunaStore
import LunaTelemetry

/// Records which command is used, where somebody has asked for that.
struct CommandUse: Sendable {
  /// The command that runs, as this program calls it; nil outside of one.
  @TaskLocal static var name: String?

  private let telemetry: Telemetry
  private let name: String

  /// - Parameter isWanted: whether somebody has asked for it.
  init?(isWanted: Bool) {
    guard isWanted, let name = CommandUse.name else { return nil }
    self.name = name
    var configuration = TelemetryConfiguration()
    if let state = getenv("LUNA_STATE") {
      configuration.state = StateDirectory(path: String(cString: state))
    }
    configuration.recordsUsage = true
    telemetry = Telemetry(configuration)
  }

  func begin() { telemetry.record(.appear("command.\(name)")) }

  /// What cannot be written is not worth a word.
  func end() async {
    telemetry.record(.disappear("command.\(name)"))
    _ = await telemetry.save()
  }
}
