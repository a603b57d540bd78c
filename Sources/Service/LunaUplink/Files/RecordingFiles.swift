import EventLoop
package import FileOutput
import LunaJSON
package import UplinkProtocol

/// The files of a recording: what either side sends, of the original and of its control, and a list with
/// the app.
package struct RecordingFiles: Sendable {
  private let files: [(path: String, json: JSONValue)]

  /// How they are called in a directory; nil when the name of the control would be too long.
  package static func paths(_ name: ReplayName, in directory: String) -> [String]? {
    guard let control = name.control else { return nil }
    return [
      name.clientFile, control.clientFile, name.serverFile, control.serverFile,
      "\(name.stem).app_list.json",
    ].map { "\(directory)/\($0)" }
  }

  /// The files of what was recorded; nil when the name of the control would be too long.
  package init?(_ client: Recording, _ server: ServerRecording, in directory: String) {
    guard let paths = RecordingFiles.paths(client.name, in: directory),
      let control = client.inverted, let answers = server.inverted
    else { return nil }
    let bytes = client.sentBytes + (client.answeredBytes ?? 0)
    // Wehe's Java client takes whole seconds alone, and ends where there is none.
    let seconds = max(1, client.seconds.rounded(.up))
    let app = AppEntry(
      name: client.name.name, size: Double(bytes) / 1e6, seconds: seconds,
      replay: client.name, control: control.name, category: "OTHER",
      icon: client.name.name.lowercased())
    let documents = [client.json, control.json, server.json, answers.json, AppList([app]).json]
    files = Array(zip(paths, documents)).map { (path: $0, json: $1) }
  }

  /// Where they are, or will be.
  package var paths: [String] { files.map(\.path) }

  /// Writes all of them, readable by others.
  ///
  /// - Parameter replacing: whether files that are there may be replaced.
  package func write(replacing: Bool) async throws(FileOutputError) {
    let files = files
    try await Blocking.run { () throws(FileOutputError) in
      for file in files {
        try FileOutput.write(file.json.bytes, to: file.path, replacing: replacing, isSecret: false)
      }
    }
  }
}
