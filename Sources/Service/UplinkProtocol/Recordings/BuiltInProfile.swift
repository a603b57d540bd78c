/// What a check compares, where no recording is named (UPLINK.md, 4).
public enum BuiltInProfile: String, CaseIterable, Sendable {
  /// Uploads of events.
  case upload = "luna-upload"
  /// Commands that wait: many small requests.
  case command = "luna-command"
  /// Any upload over HTTPS, with a name of a server and without.
  case generic = "https-generic"
  /// What was recorded of Luna.
  case recorded = "luna-recorded"

  /// The original, for a person.
  public var original: String {
    switch self {
    case .upload: "one POST of random bytes over TLS 1.3 to the name of the backend"
    case .command: "20 requests or more of 300 bytes over TLS 1.3 to the name of the backend"
    case .generic: "one POST of random bytes over TLS 1.3 to the name of the control"
    case .recorded: "the replay of a recording, whose file is named in place of this"
    }
  }

  /// The control, for a person.
  public var control: String {
    switch self {
    case .upload, .command: "the same to the name of the control"
    case .generic: "the same without a name"
    case .recorded: "its random replay, else all bits inverted"
    }
  }

  /// What is compared, for a person.
  public var measure: String {
    switch self {
    case .upload, .generic: "bytes acknowledged per second"
    case .command: "the median round trip"
    case .recorded: "rates in buckets of time"
    }
  }
}
