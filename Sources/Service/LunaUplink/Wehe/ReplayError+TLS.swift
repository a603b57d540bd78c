import Diagnosis
import TLSStream
import UplinkProtocol

extension ReplayError {
  /// What a failure of TLS is to a replay.
  init(_ error: TLSError) {
    guard error.kind == .files else {
      self.init(notOpened: error.reason, remedy: error.remedy)
      return
    }
    self.init(
      .authorities, "the server's side channel cannot be opened: \(error.reason)",
      remedy: error.remedy)
  }
}
