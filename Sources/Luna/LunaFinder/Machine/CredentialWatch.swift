/// When to look, while a credential is refused, whether there is another one: who gets new ones all the time, each of
/// which is refused, does not try them one after the other.
struct CredentialWatch {
  /// How often is looked.
  static let tick: Duration = .seconds(10)

  private var lookedAt: Duration?

  /// Whether it is time to look; then it counts as looked at.
  mutating func isDue(at elapsed: Duration) -> Bool {
    if let lookedAt, elapsed - lookedAt < CredentialWatch.tick { return false }
    lookedAt = elapsed
    return true
  }
}
