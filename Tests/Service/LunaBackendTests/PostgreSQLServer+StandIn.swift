import Foundation

@testable import LunaBackend

extension PostgreSQLServer {
  /// How to connect to a database whose events are spread over three others, by scripts/lib/stand-in.sql. All are one
  /// here, with its parts in schemas of their own.
  func newStandIn() throws -> String {
    let settings = try newDatabase()
    let connection = PostgreSQLConnection(settings)
    try PostgreSQLSchema.migrate(connection)
    let script =
      #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
      + "/scripts/lib/stand-in.sql"
    try connection.execute(String(contentsOfFile: script, encoding: .utf8))
    try connection.execute(
      """
      SELECT stand_in.begin(
        array_fill('\(settings)'::text, ARRAY[3]), ARRAY['worker0', 'worker1', 'worker2'])
      """)
    return settings
  }
}
