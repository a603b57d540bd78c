import Testing

@testable import LunaBackend

@Suite struct PortableSQLTests {
  @Test(arguments: [
    ("SELECT a FROM luna.b WHERE c = $2", "SELECT a FROM b WHERE c = ?2"),
    ("SELECT 'luna.b $1', \"luna.c\"", "SELECT 'luna.b $1', \"luna.c\""),
    ("SELECT luna, x.luna.y, lunatic.z FROM luna.t", "SELECT luna, x.y, lunatic.z FROM t"),
    ("SELECT 'it''s luna.' || $12 FROM luna.ä", "SELECT 'it''s luna.' || ?12 FROM ä"),
    ("SELECT 'open luna.", "SELECT 'open luna."),
  ])
  func forSQLite(statement: String, form: String) {
    #expect(PortableSQL.sqlite(statement) == form)
  }

  @Test(arguments: [
    (
      "CREATE TABLE luna.t(a INTEGER, b BLOB, c REAL, INTEGERS TEXT) STRICT;",
      "CREATE TABLE luna.t(a int8, b bytea, c float8, INTEGERS TEXT) ;"
    ), ("SELECT CAST($1 AS INTEGER), 'INTEGER'", "SELECT CAST($1 AS int8), 'INTEGER'"),
  ])
  func forPostgreSQL(statement: String, form: String) {
    #expect(PortableSQL.postgreSQL(statement) == form)
  }
}
