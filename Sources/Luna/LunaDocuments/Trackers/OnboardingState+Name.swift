package import LunaProtocol

extension OnboardingState {
  /// Its word in documents and on command lines.
  package var name: String {
    switch self {
    case .factory: "factory"
    case .keyed: "keyed"
    case .locked: "locked"
    }
  }
}
