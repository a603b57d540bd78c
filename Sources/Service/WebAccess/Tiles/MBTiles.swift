import Diagnosis
import SQLite

/// A file with map tiles (MBTiles 1.3): pictures by zoom level, column and row, in SQLite. It is opened for each
/// question, so that somebody can put another one in its place. Everything in it may be wrong.
package struct MBTiles: Sendable {
  /// What a file says of itself.
  package struct Description: Hashable, Sendable {
    /// The zoom levels that there are tiles of.
    package let levels: ClosedRange<Int64>
    /// Whom the map is owed to, as text.
    package let attribution: String
    /// Whether its pictures are photographs, as of satellites: a drawing can be shown in other colours, they not.
    package let isPhotographs: Bool
  }

  /// No tile is larger, bytes.
  private static let limit = 4 << 20
  /// No map goes deeper.
  package static let deepest: Int64 = 24

  private let path: String

  /// - Parameter path: the file; nothing of it is read yet.
  package init(path: String) { self.path = path }

  private func open() throws(TilesError) -> Database<TilesError> {
    let database = try Database<TilesError>(path: path, patience: .seconds(2), isReadOnly: true)
    // A view or a trigger in it may do nothing but read.
    try database.execute("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")
    return database
  }

  /// What the file says of itself. It blocks.
  package func description() throws(TilesError) -> Description {
    let database = try open()
    let range = try database.prepare("SELECT min(zoom_level), max(zoom_level) FROM tiles")
    guard try range.step(), !range.isNull(0) else {
      throw TilesError("there are no map tiles in \(path)")
    }
    let (least, most) = (range.integer(0), range.integer(1))
    guard 0 <= least, least <= most, most <= MBTiles.deepest else {
      throw TilesError("the zoom levels in \(path) are not between 0 and \(MBTiles.deepest)")
    }
    let sample = try database.prepare(
      "SELECT tile_data FROM tiles WHERE length(tile_data) BETWEEN 1 AND \(MBTiles.limit) LIMIT 1")
    guard try sample.step(), let type = MBTiles.type(of: sample.bytes(0)) else {
      throw TilesError(
        "the map tiles in \(path) are no pictures",
        remedy: "take tiles in PNG, JPEG or WebP, not vector tiles")
    }
    let said = try database.prepare(
      "SELECT substr(value, 1, 500) FROM metadata WHERE name = 'attribution' LIMIT 1")
    return Description(
      levels: least...most, attribution: try said.step() ? said.text(0) : "",
      isPhotographs: type == "image/jpeg")
  }

  /// A tile as it is asked for on the web, rows counted from the north. It blocks.
  ///
  /// - Returns: its media type and its bytes; nil where there is none.
  package func tile(
    level: Int64, column: Int64, row: Int64
  ) throws(TilesError) -> (type: String, bytes: [UInt8])? {
    guard (0...MBTiles.deepest).contains(level) else { return nil }
    let count = Int64(1) << level
    guard (0..<count).contains(column), (0..<count).contains(row) else { return nil }
    let database = try open()
    let statement = try database.prepare(
      """
      SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3
      AND length(tile_data) <= \(MBTiles.limit) LIMIT 1
      """)
    statement.bind(1, level)
    statement.bind(2, column)
    // In the file rows are counted from the south.
    statement.bind(3, count - 1 - row)
    guard try statement.step() else { return nil }
    let bytes = statement.bytes(0)
    return MBTiles.type(of: bytes).map { ($0, bytes) }
  }

  /// What a picture is by its first bytes; nil for what browsers are not to be given.
  package static func type(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    let isWebP =
      bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
    return isWebP ? "image/webp" : nil
  }
}
