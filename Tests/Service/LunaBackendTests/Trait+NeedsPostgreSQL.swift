import Testing

extension Trait where Self == ConditionTrait {
  /// Left out, and said to be, where there is no PostgreSQL. Whether its program is there is all that is looked at: no
  /// server is started before a test asks for it.
  static var needsPostgreSQL: Self {
    .enabled(if: PostgreSQLServerTests.isInstalled, "PostgreSQL is not installed")
  }
}
