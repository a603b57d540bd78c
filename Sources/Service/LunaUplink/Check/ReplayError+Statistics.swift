import Diagnosis
import UplinkProtocol

extension ReplayError {
  /// What was measured cannot be compared.
  init(_ error: StatisticsError) { self.init(.malformed, error.reason) }
}
