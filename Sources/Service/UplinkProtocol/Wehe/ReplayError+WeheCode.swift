extension ReplayError.Kind {
  /// The number that Wehe's client ends with where this happens; nil where it has none (UPLINK.md, 12).
  package var weheCode: Int? {
    switch self {
    case .connect: 6
    case .blocked: 7
    case .lost: 8
    case .authorities: 12
    case .unknownRecording: 15
    case .addressBusy: 16
    case .overloaded: 17
    case .refused: 18
    case .malformed: 26
    case .ipFlip, .cancelled: nil
    }
  }
}

extension LocateError.Kind {
  /// The same, where a server is located.
  package var weheCode: Int { self == .malformed ? 26 : 9 }
}
