/// A step of the schema: what became of requests, for whoever repeats one because the answer was lost. `made` is the
/// name of a command or a token, never a token, and with PostgreSQL also the number of the last transaction on a
/// connection; times are microseconds since 1970.
enum OutcomesSchema {
  static let step = """
    CREATE TABLE luna.outcomes(
      id BLOB PRIMARY KEY, made TEXT NOT NULL, expires INTEGER NOT NULL) STRICT;
    """
}
