/// What is wrong with a token or with a set of keys.
package enum WebTokenProblem: Error, Hashable, Sendable {
  /// It is longer than is read.
  case tooLong
  /// It is no JWT, or no set of keys; this part of it.
  case malformed(String)
  /// It is not signed, or by an algorithm that is not taken.
  case algorithm
  /// It asks for something that is not known here (RFC 7515, 4.1.11).
  case critical
}
