import EventLoop
import LunaJSON
import UplinkProtocol

/// The files of a recording: what either side sends, of the original and of its control, and a list with
/// the app.
struct RecordingFiles {
  private let files: [(path: String, json: JSONValue)]

  /// How they are called in a directory; nil when the name of the control would be too long.
  static func paths(_ name: ReplayName, in directory: String) -> [String]? {
    guard let control = name.control else { return nil }
    return [
      name.clientFile, control.clientFile, name.serverFile, control.serverFile,
      "\(name.stem).app_list.json",
    ].map { "\(directory)/\($0)" }
  }

  /// The files of what was recorded; nil when the name of the control would be too long.
  init?(_ client: Recording, _ server: ServerRecording, in directory: String) {
    guard let paths = RecordingFiles.paths(client.name, in: directory),
      let control = client.inverted, let answers = server.inverted
    else { return nil }
    let bytes = client.sentBytes + (client.answeredBytes ?? 0)
    let app = AppEntry(
      name: client.name.name, size: Double(bytes) / 1e6, seconds: client.seconds,
      replay: client.name, control: control.name, category: nil)
    let documents = [client.json, control.json, server.json, answers.json, AppList([app]).json]
    files = Array(zip(paths, documents)).map { (path: $0, json: $1) }
  }

  var paths: [String] { files.map(\.path) }

  /// Writes all of them.
  func write(replacing: Bool) async throws(CommandFailure) {
    let files = files
    try await Blocking.run { () throws(CommandFailure) in
      for file in files {
        try OutputFile.write(file.json.bytes, to: file.path, replacing: replacing)
      }
    }
  }
}
