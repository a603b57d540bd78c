public import LunaCore
public import LunaCrypto

/// Gives tokens that hold just now, and gets new ones. It is asked for every request.
public protocol TokenProvider: Sendable {
  /// A token that holds.
  func token() async throws(BackendError) -> SecretBytes

  /// Gets a new one, since the backend has refused one.
  ///
  /// - Returns: whether there is another one, with which the request may be repeated.
  func renew(after refused: SecretBytes) async -> Bool
}
