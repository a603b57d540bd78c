/// Keeps wrong tries where all servers see them that share accounts: of them together, a name has as many
/// tries as it has of one.
package protocol SignInFailureStore: Sendable {
  /// What is known of a name; nil where nobody has failed of late.
  func failures(of name: String) async throws -> SignInFailures?

  /// Notes that one more try waits so long.
  func wait(for name: String, _ duration: Duration) async throws

  /// Notes one more wrong try.
  func add(to name: String) async throws

  /// Forgets them: somebody was right.
  func forget(_ name: String) async throws
}
