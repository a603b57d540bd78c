/// What a program is told that asks whether its code was approved (RFC 8628, 3.5).
enum DeviceAnswer: Sendable {
  /// It was.
  case tokens(IssuedTokens)
  /// Nobody has decided yet.
  case pending
  /// The same, and it asks too often.
  case slowDown
  /// Somebody said no.
  case denied
  /// It took too long.
  case expired
  /// There is no such code, or its sign-in has ended.
  case unknown
  /// It was used, and so were its tokens: the sign-in has ended now, for two hold it.
  case reuse(IssuedHolder)
}
