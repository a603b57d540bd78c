import Diagnosis
package import UplinkProtocol

extension ProfileFile {
  /// Reads a recording, or a list of apps.
  ///
  /// - Parameter path: its file; `-` is standard input.
  /// - Throws: ``UplinkError`` of kind `denied` or `unreadable`.
  package static func read(_ path: String) async throws(UplinkError) -> ProfileFile {
    let bytes = try await UplinkFile.bytes(of: path)
    do throws(RecordingError) {
      return try ProfileFile(bytes)
    } catch {
      throw UplinkError(
        .unreadable,
        "\(UplinkFile.name(path)) is no recording and no list of apps: \(error.diagnosis.problem)",
        remedy: error.remedy
          ?? "a recording is [packets, udpClientPorts, tcpPairs, replayName], a list {\"apps\":[...]}"
      )
    }
  }
}
