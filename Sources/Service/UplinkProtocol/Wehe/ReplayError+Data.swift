extension ReplayError.Kind {
  /// Whether a replay ends so before any of its data goes.
  package var isBeforeData: Bool {
    switch self {
    case .blocked, .connect, .authorities, .unknownRecording, .addressBusy, .overloaded, .refused:
      true
    case .ipFlip, .malformed, .lost, .cancelled: false
    }
  }

  /// Whether other recordings may fare otherwise.
  package var isOfOneRecording: Bool {
    switch self {
    case .blocked, .unknownRecording, .refused, .malformed, .lost: true
    case .connect, .authorities, .addressBusy, .overloaded, .ipFlip, .cancelled: false
    }
  }
}
