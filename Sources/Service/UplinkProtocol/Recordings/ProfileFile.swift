import LunaJSON

/// A file that says what to compare: a recording, or a list of apps.
public enum ProfileFile: Hashable, Sendable {
  /// What one client sends.
  case recording(Recording)
  /// A list of apps.
  case apps(AppList)

  /// Reads a file of either kind.
  public init(_ bytes: [UInt8]) throws(RecordingError) {
    self = try RecordingDocument.read(bytes) { json throws(FormatError) in
      guard case .object(let object) = json else { return .recording(try Recording(json: json)) }
      guard object["lunaRecording"] == nil else {
        throw FormatError("the file", "is that of a server, and that of its client is asked for")
      }
      return .apps(try AppList(json: json))
    }
  }
}
