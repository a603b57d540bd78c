/// Brings what a finder has to a backend: `LunaClient`, for `LunaFinder`. A call ends in bounded
/// time.
public protocol EventUploader: Sendable {
  /// Sends a batch (`POST /trackerEvent`).
  func upload(_ batch: EventBatch) async throws(BackendError) -> UploadReply

  /// Tells what became of a command (`POST /remote-control-request/confirm`). May be repeated.
  func confirm(_ confirmation: CommandConfirmation) async throws(BackendError)
}
