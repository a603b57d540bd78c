/// How PostgreSQL keeps the table of events (SCALE.md, 3.2): each connection finds it out when it is made.
enum PostgreSQLEngine: String, Sendable {
  /// A table of this server.
  case plain
  /// Citus spreads it over several servers, by the identifier.
  case citus
  /// It is spread by other means, as tests do: its parts are tables of other servers, and only those have its key.
  case standIn = "stand-in"

  /// Which one it is, or `citus` where that is installed, as far as can be asked everywhere.
  static let question = """
    CASE
      WHEN EXISTS (
        SELECT FROM pg_class c WHERE c.oid = to_regclass('luna.events')
          AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid)) THEN 'stand-in'
      WHEN to_regclass('pg_dist_partition') IS NOT NULL THEN 'citus'
      ELSE 'plain'
    END
    """

  /// Whether Citus, where it is installed, spreads this table.
  static let citusQuestion =
    "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('luna.events'))"

  /// Whether each statement should be for one of several servers.
  var isSpread: Bool { self != .plain }

  /// What an insert does with events that are there already. They are locked and not written: so the commit waits for a
  /// standby as that of whoever wrote them should have, and nothing is acknowledged as a duplicate that only one server
  /// has. Tables of other servers cannot do that.
  var onConflict: String {
    self == .standIn
      ? "ON CONFLICT DO NOTHING"
      : "ON CONFLICT(heid, day, event_id) DO UPDATE SET version = excluded.version WHERE false"
  }

  /// How owners' queries are planned. One server plans them once and not for each page, which takes longer than to find
  /// the events; of several, only a plan for these identifiers leaves out the others.
  var plans: String { isSpread ? "force_custom_plan" : "force_generic_plan" }
}
