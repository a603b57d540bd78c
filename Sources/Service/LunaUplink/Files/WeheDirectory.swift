import Diagnosis
import EventLoop
import FileOutput
import Glibc
import LunaJSON
package import UplinkProtocol

/// A directory of recordings, for clients of Wehe's.
package enum WeheDirectory {
  private static let endings = (client: ".pcap_client_all.json", server: ".pcap_server_all.json")

  /// Reads all of them: what clients send, and what the server does where that lies beside.
  ///
  /// - Throws: ``UplinkError`` of kind `denied`, `unreadable` or `noRecordings`.
  package static func read(_ path: String) async throws(UplinkError) -> WeheRecordings {
    var recordings = WeheRecordings()
    for name in await Blocking.run({ names(in: path) }) {
      guard case .recording(let client) = try await ProfileFile.read("\(path)/\(name)") else {
        throw UplinkError(
          .unreadable, "\(name) is no recording", remedy: "give it another name")
      }
      let file = "\(path)/\(name.dropLast(endings.client.count))\(endings.server)"
      var server: ServerRecording?
      if await Blocking.run({ access(file, F_OK) == 0 }) { server = try await answers(file) }
      do throws(FormatError) {
        try recordings.add(client, server)
      } catch {
        throw UplinkError(
          .unreadable, "\(file) is not the other side of its recording: \(error)",
          remedy: "leave it out: answers of the right length take its place")
      }
    }
    guard recordings.count > 0 else {
      throw UplinkError(
        .noRecordings, "there is no recording in \(path)",
        remedy: "they are called Name_MMDDYYYY\(endings.client)")
    }
    return recordings
  }

  private static func answers(_ path: String) async throws(UplinkError) -> ServerRecording {
    let bytes = try await UplinkFile.bytes(of: path)
    do throws(RecordingError) {
      return try ServerRecording(bytes)
    } catch {
      throw UplinkError(
        .unreadable, "\(path) is no recording of a server: \(error.diagnosis.problem)",
        remedy: error.remedy)
    }
  }

  /// Those of clients; originals first, whose controls are made where there are none.
  private static func names(in path: String) -> [String] {
    (Directory.names(in: path) ?? []).filter { $0.hasSuffix(endings.client) }.sorted()
  }
}
