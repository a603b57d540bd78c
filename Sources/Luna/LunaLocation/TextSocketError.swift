/// Why a connection over TCP does not work.
struct TextSocketError: Error, Hashable, Sendable {
  /// What happened.
  let reason: String
}
