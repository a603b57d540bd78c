/// The rules by which Wehe's programs judge the samples of two replays.
public enum OriginalRule: String, CaseIterable, Sendable {
  /// The app for iPhones.
  case ios
  /// The client in Java, and the app for Android.
  case java
  /// What the server used to say itself.
  case server
}
