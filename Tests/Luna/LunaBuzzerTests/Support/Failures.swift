@testable import LunaBuzzer

extension ControlAction {
  /// The error that it ends with.
  var failure: BuzzerError? { if case .finish(let outcome) = self { outcome.failure } else { nil } }
}

extension ControlAction.Outcome {
  /// The error that it is.
  var failure: BuzzerError? { if case .failed(let error) = self { error } else { nil } }
}
