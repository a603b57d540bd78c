public import LunaCore
public import LunaStore

/// Where telemetry is kept and sent, and what Luna itself records of its use.
public struct TelemetryConfiguration: Sendable {
  /// What becomes of what waits while nobody is signed in.
  public enum WhenSignedOut: String, CaseIterable, Sendable {
    /// It waits.
    case keep
    /// It is dropped, and counted.
    case drop
  }

  /// Where the queue is; nil for `$XDG_DATA_HOME/luna`.
  public var state: StateDirectory?
  /// Another queue than that of ``state``.
  public var store: (any TelemetryStore)?
  /// The way to the backend, which asks for its own token; nil to queue only, for another program to send.
  public var uploader: (any TelemetryUploader)?
  /// The program and its version.
  public var product = "luna/\(LunaVersion.text)"
  /// What becomes of what waits while nobody is signed in.
  public var whenSignedOut = WhenSignedOut.keep
  /// Whether somebody is signed in; nil where that is not needed.
  public var isSignedIn: (@Sendable () async -> Bool)?
  /// Whether a gateway's health is recorded.
  public var recordsHealth = true
  /// Whether Luna's own parts record how they are used.
  public var recordsUsage = false

  /// The usual settings.
  public init() {}
}
