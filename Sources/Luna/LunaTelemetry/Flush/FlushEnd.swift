import LunaCore

/// How an attempt to send everything ended.
enum FlushEnd: Hashable, Sendable {
  /// All is sent, or there was nothing.
  case done
  /// It was not.
  case failed(BackendError)
  /// So many at a time were refused without a reason, as a proxy does it: fewer may pass.
  case refused(BackendError, count: Int)
  /// Nobody is signed in.
  case signedOut
  /// Another process is sending.
  case busy

  /// Why it was not; nil where nothing went wrong.
  var error: BackendError? {
    switch self {
    case .failed(let error), .refused(let error, _): error
    case .done, .signedOut, .busy: nil
    }
  }
}
