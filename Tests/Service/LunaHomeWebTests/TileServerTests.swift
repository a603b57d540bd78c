import Bluetooth
import Foundation
import LunaClient
import LunaTesting
import Testing

@testable import LunaHomeWeb

/// Map tiles from a server that the file names.
@Suite(.timeLimit(.minutes(10))) struct TileServerTests {
  private let folder = TestFolder()

  private func tiles(_ server: ScriptedServer) throws -> TileServer {
    try TileServer(
      server.url + "/{z}/{x}/{y}.png", folder: folder.path + "/tiles", within: .seconds(600))
  }

  /// An answer, by default with what looks like a picture (WebP) and is text.
  private static func answer(_ status: String, _ body: String = "RIFF1234WEBP") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }

  private func time(day: Int64) -> Timestamp {
    Timestamp(microseconds: (1_795_780_800 + day * 86_400) * 1_000_000)
  }

  @Test func isAskedOnceAWeekForEachTile() async throws {
    let server = ScriptedServer([Self.answer("200 OK"), Self.answer("200 OK", "RIFF5678WEBP")])
    let tiles = try tiles(server)
    for day: Int64 in [0, 0, 6] {
      let tile = try await tiles.tile(level: 5, column: 3, row: 4, at: time(day: day))
      #expect(tile?.type == "image/webp" && tile?.bytes == Array("RIFF1234WEBP".utf8))
    }
    // What was kept is there for the next process too.
    let next = try self.tiles(server)
    #expect(try await next.tile(level: 5, column: 3, row: 4, at: time(day: 6))?.type != nil)
    #expect(server.requests.count == 1)
    #expect(server.requests.first?.hasPrefix("GET /5/3/4.png ") == true)
    let new = try await next.tile(level: 5, column: 3, row: 4, at: time(day: 8))
    #expect(new?.bytes == Array("RIFF5678WEBP".utf8))
  }

  @Test func anOldTileIsBetterThanNone() async throws {
    let server = ScriptedServer([Self.answer("200 OK"), Self.answer("500 Broken", "no")])
    let tiles = try tiles(server)
    for day: Int64 in [0, 8, 8] {
      let tile = try await tiles.tile(level: 5, column: 3, row: 4, at: time(day: day))
      #expect(tile?.bytes == Array("RIFF1234WEBP".utf8))
    }
    // After a failure it is left alone for a while.
    #expect(server.requests.count == 2)
    #expect(try await tiles.tile(level: 5, column: 3, row: 5, at: time(day: 8))?.type == nil)
    #expect(server.requests.count == 2)
  }

  @Test func aTileThatWasKeptAtNoTimeIsNone() async throws {
    let server = ScriptedServer([Self.answer("200 OK"), Self.answer("200 OK", "RIFF5678WEBP")])
    let tiles = try tiles(server)
    _ = try await tiles.tile(level: 1, column: 0, row: 0, at: time(day: 0))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tiles")
    let kept = try #require(names.first)
    let head = "\(Int64.min) \(server.url)/1/0/0.png\n"
    try Data((head + "RIFF1234WEBP").utf8)
      .write(to: URL(fileURLWithPath: folder.path + "/tiles/" + kept))
    let tile = try await tiles.tile(level: 1, column: 0, row: 0, at: time(day: 0))
    #expect(tile?.bytes == Array("RIFF5678WEBP".utf8))
  }

  @Test func onlyPicturesOfPlacesThatThereAreAreGiven() async throws {
    let server = ScriptedServer([Self.answer("200 OK", "<script>"), Self.answer("404 None")])
    let tiles = try tiles(server)
    for column: Int64 in [0, 1] {
      #expect(try await tiles.tile(level: 1, column: column, row: 0, at: time(day: 0))?.type == nil)
    }
    #expect(server.requests.count == 2)
    for (level, column): (Int64, Int64) in [(1, 2), (1, -1), (-1, 0), (20, 0)] {
      #expect(
        try await tiles.tile(level: level, column: column, row: 0, at: time(day: 0))?.type == nil)
    }
    #expect(server.requests.count == 2)
  }

  @Test func saysWhomTheMapIsOwedTo() throws {
    func owed(_ url: String) throws -> String {
      try TileServer(url, folder: folder.path, within: .seconds(1)).attribution
    }
    #expect(try owed("https://tiles.example:81/{z}/{x}/{y}") == "tiles.example:81")
    #expect(
      try owed("https://tile.openstreetmap.org/{z}/{x}/{y}.png")
        == "© OpenStreetMap contributors")
  }
}
