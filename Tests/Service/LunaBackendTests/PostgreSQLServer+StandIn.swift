import Foundation

@testable import LunaBackend

extension PostgreSQLServer {
  /// How to connect to a database whose events are spread over three other servers, by scripts/lib/stand-in.sql.
  func newStandIn() throws -> String {
    let settings = try newDatabase()
    try PostgreSQLServer.spread(settings)
    return settings
  }

  /// Brings a database to a version of the schema and spreads its events, where that was not done before.
  static func spread(_ settings: String, upTo version: Int = PostgreSQLSchema.steps.count) throws {
    let connection = PostgreSQLConnection(settings)
    guard try connection.findEngine() == .plain else { return }
    try PostgreSQLSchema.migrate(connection, upTo: version)
    let script =
      #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
      + "/scripts/lib/stand-in.sql"
    try connection.execute(String(contentsOfFile: script, encoding: .utf8))
    // Its parts have a place of their own there.
    let place = settings.split(separator: "dbname=").last ?? ""
    let places = workers.map { "'\($0.settings)'" }.joined(separator: ", ")
    try connection.execute(
      """
      SELECT stand_in.begin(ARRAY[\(places)], array_fill('\(place)'::text, ARRAY[\(workers.count)]))
      """)
  }
}
