import LunaCore

/// How an attempt to send everything ended.
enum FlushEnd: Hashable, Sendable {
  /// All is sent, or there was nothing.
  case done
  /// It was not.
  case failed(BackendError)
  /// Nobody is signed in.
  case signedOut
  /// Another process is sending.
  case busy
}
