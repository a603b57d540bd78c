import EventLoop
import HTTPServer
import LunaJSON
import WebAccess

/// `tiles`: the map under the trackers, from a file of the box's own, or from a server that the box asks.
enum TileEndpoints {
  static let all = [
    HomeEndpoint(
      "GET", "tiles/{z}/{x}/{y}", "getTile",
      "Get a tile of the map: zoom level, column, and row from the north.",
      .role(.guest), 200, "image/*", problems: [(404, "There is no such tile, or no map.")]
    ) { api, call in
      let numbers = ["z", "x", "y"].compactMap { Int64(call.parameters[$0] ?? "") }
      guard numbers.count == 3, let tile = try await picture(numbers, api, call) else {
        throw ProblemDocument.notFound("there is no such tile")
      }
      var response = HTTPResponse(200, tile.type, tile.bytes)
      response.headers.append(("Cache-Control", "private, max-age=86400"))
      return response
    }
  ]

  private static func picture(
    _ numbers: [Int64], _ api: HomeAPI, _ call: HomeCall
  ) async throws -> (type: String, bytes: [UInt8])? {
    guard let tiles = api.tiles else {
      return try await api.tileServer?.tile(
        level: numbers[0], column: numbers[1], row: numbers[2], at: call.time)
    }
    return try await Blocking.run { () throws(TilesError) in
      try tiles.tile(level: numbers[0], column: numbers[1], row: numbers[2])
    }
  }

  /// What the app is told of the map; null where there is none that can be shown.
  static func json(_ api: HomeAPI) async -> JSONValue {
    guard let tiles = api.tiles else {
      guard let server = api.tileServer else { return .null }
      return [
        "url": "/api/v1/tiles/{z}/{x}/{y}", "least": 0, "most": .integer(TileServer.deepest),
        "attribution": .string(server.attribution), "photographs": .bool(server.isPhotographs),
      ]
    }
    do {
      let said = try await Blocking.run { () throws(TilesError) in try tiles.description() }
      return [
        "url": "/api/v1/tiles/{z}/{x}/{y}", "least": .integer(said.levels.lowerBound),
        "most": .integer(said.levels.upperBound), "attribution": .string(said.attribution),
        "photographs": .bool(said.isPhotographs),
      ]
    } catch {
      api.note(error)
      return .null
    }
  }
}
