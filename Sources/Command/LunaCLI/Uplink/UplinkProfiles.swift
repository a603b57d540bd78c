import Diagnosis
import UplinkProtocol

/// Recordings and lists of apps as the commands read them.
enum UplinkProfiles {
  /// A file of either kind.
  static func read(_ path: String) async throws(CommandFailure) -> ProfileFile {
    let bytes = try await InputFile.read(path)
    do throws(RecordingError) {
      return try ProfileFile(bytes)
    } catch {
      let name = path == "-" ? "standard input" : path
      throw CommandFailure(
        .unreadableInput,
        "\(name) is no recording and no list of apps: \(error.diagnosis.problem)",
        hint: error.remedy?.description
          ?? "a recording is [packets, udpClientPorts, tcpPairs, replayName], a list {\"apps\":[...]}"
      )
    }
  }
}
