extension ReplayError.Kind {
  /// Whether a replay ends so before any of its data goes.
  package var isBeforeData: Bool {
    switch self {
    case .blocked, .connect, .authorities, .unknownRecording, .addressBusy, .overloaded, .refused:
      true
    case .ipFlip, .malformed, .lost, .cancelled: false
    }
  }
}
