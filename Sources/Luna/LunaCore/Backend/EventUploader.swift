/// The way from a gateway to a backend: `LunaClient`, for `LunaFinder` and others.
public protocol EventUploader: Sendable {
  /// Uploads events. When it returns, each of them is stored or rejected; when it throws, they may
  /// be stored or not, and sending them again does no harm.
  func upload(_ batch: EventBatch) async throws(BackendError) -> UploadReply

  /// Tells what became of a command. Saying it again does no harm.
  func confirm(_ confirmation: CommandConfirmation) async throws(BackendError)

  /// How far the backend's clock is ahead of this one; nil while that is not known.
  var clockOffset: Duration? { get }

  /// Whether it would show the backend something else now of who it is than what was refused last: a token in a file
  /// is replaced, somebody signs in again.
  func hasAnotherCredential() async -> Bool
}

extension EventUploader {
  /// Not known.
  public var clockOffset: Duration? { nil }

  /// It would not.
  public func hasAnotherCredential() async -> Bool { false }
}
