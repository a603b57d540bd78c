/// A step of the schema: wrong passwords and codes, by digests of the names for which they were given. Times are
/// microseconds since 1970; `turn` is when the last try comes that has to wait.
enum FailuresSchema {
  static let step = """
    CREATE TABLE luna.failures(
      name BLOB PRIMARY KEY, count INTEGER NOT NULL, failed INTEGER NOT NULL, turn INTEGER NOT NULL) STRICT;
    CREATE INDEX failures_by_age ON luna.failures(failed);
    """
}
