import Diagnosis
import TLSStream
import UplinkProtocol

extension ReplayError {
  /// What a failure of TLS is to a replay.
  init(_ error: TLSError) {
    self.init(
      error.kind == .files ? .authorities : .connect,
      "the server's side channel cannot be opened: \(error.reason)", remedy: error.remedy)
  }
}
