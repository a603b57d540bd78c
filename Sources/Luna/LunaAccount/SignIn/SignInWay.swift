/// How somebody signs in.
public enum SignInWay: String, CaseIterable, Sendable {
  /// In a browser where there is a display and the issuer has a page for it, else with a code.
  case automatic
  /// With a code that is typed in on another device (RFC 8628).
  case device
  /// In a browser of this machine (RFC 8252).
  case browser
  /// In a browser elsewhere; what it shows at the end is pasted.
  case paste
  /// As nobody in particular, at a backend of this machine that is a demonstration.
  case demo
}
