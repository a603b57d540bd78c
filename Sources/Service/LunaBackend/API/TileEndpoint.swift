import Diagnosis
import EventLoop
import HTTPServer
import LunaJSON
import WebAccess

/// `GET /v1/tiles`: where maps get their tiles, and the tiles of files that lie beside the backend.
enum TileEndpoint {
  static let declarations = [
    Endpoint(
      "GET", "/v1/tiles", "listTiles", "See how maps can look: where there are tiles.",
      access: .role(.viewer), replies: [.init(200, "Those that are on.", json: "TileList")]
    ) { api, _ in
      var looks: [TileLook: JSONValue] = [:]
      for (look, source) in try await api.accounts.tiles() {
        looks[look] = [
          "look": .string(look.rawValue), "url": .string(source.address),
          "attribution": .string(source.attribution),
        ]
      }
      for (look, path) in api.configuration.tiles {
        looks[look] = await described(look, MBTiles(path: path), api) ?? looks[look]
      }
      return HTTPResponse(
        200, json: ["looks": .array(TileLook.allCases.compactMap { looks[$0] })])
    },
    Endpoint(
      "GET", "/v1/tiles/{source}/{z}/{x}/{y}", "getTile",
      "Get a tile of a file: how it looks, zoom level, column, and row from the north.",
      access: .role(.viewer),
      replies: [.init(200, "The tile.", files: ["image/png", "image/jpeg", "image/webp"])],
      problems: [(503, "The file cannot be read.")]
    ) { api, call in
      let numbers = ["z", "x", "y"].compactMap { Int64(call.parameters[$0] ?? "") }
      let look = call.parameters["source"].flatMap { TileLook(rawValue: $0) }
      guard numbers.count == 3, let path = look.flatMap({ api.configuration.tiles[$0] }) else {
        throw ProblemDocument.notFound("there is no such tile")
      }
      let tile: (type: String, bytes: [UInt8])?
      do throws(TilesError) {
        tile = try await Blocking.run { () throws(TilesError) in
          try MBTiles(path: path).tile(level: numbers[0], column: numbers[1], row: numbers[2])
        }
      } catch {
        api.log.line(.error, "\(error.diagnosis)")
        throw ProblemDocument(503, "storage", "The map's tiles cannot be read.")
      }
      guard let tile else { throw ProblemDocument.notFound("there is no such tile") }
      var response = HTTPResponse(200, tile.type, tile.bytes)
      response.headers.append(("Cache-Control", "private, max-age=86400"))
      return response
    },
  ]

  /// What maps are told of a file; nil for one that cannot be shown.
  private static func described(_ look: TileLook, _ tiles: MBTiles, _ api: API) async -> JSONValue?
  {
    do throws(TilesError) {
      let said = try await Blocking.run { () throws(TilesError) in try tiles.description() }
      return [
        "look": .string(look.rawValue),
        "url": .string("/v1/tiles/\(look.rawValue)/{z}/{x}/{y}"),
        "attribution": .string(said.attribution), "least": .integer(said.levels.lowerBound),
        "most": .integer(said.levels.upperBound),
      ]
    } catch {
      api.log.line(.error, "\(error.diagnosis)")
      return nil
    }
  }
}
