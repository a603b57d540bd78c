import LunaJSON
import Testing

@testable import LunaBackend

@Suite("Where the tiles of maps come from")
struct TileSourceTests {
  private static func source(_ address: String) -> TileSource? {
    TileSource(json: ["url": .string(address)])
  }

  @Test(
    "Addresses of tiles, and the servers that a policy names",
    arguments: [
      ("https://tiles.example/{z}/{x}/{y}.png", "https://tiles.example"),
      ("https://Tiles.Example:8443/a/{z}/{y}/{x}?key=1", "https://tiles.example:8443"),
      ("http://127.0.0.1:8080/{z}/{x}/{y}", "http://127.0.0.1:8080"),
      ("https://[2001:db8::1]/{z}/{x}/{y}", "https://[2001:db8::1]"),
    ])
  func addresses(address: String, origin: String) {
    #expect(Self.source(address)?.origin == origin)
    #expect(Self.source(address)?.isOn == false)
  }

  @Test(
    "What is no address, or would say something in a policy",
    arguments: [
      "", "https://tiles.example/", "https://tiles.example/{z}/{x}",
      "http://tiles.example/{z}/{x}/{y}", "ftp://tiles.example/{z}/{x}/{y}",
      "https:/tiles.example/{z}/{x}/{y}", "//tiles.example/{z}/{x}/{y}",
      "https://{s}.example/{z}/{x}/{y}", "https://*/{z}/{x}/{y}", "https://a;b/{z}/{x}/{y}",
      "https://a b/{z}/{x}/{y}", "https://u@a/{z}/{x}/{y}", "https://a/{z}/{x}/{y};",
      "https:///{z}/{x}/{y}", "https://a/{z}/{x}/{y}\n", "https://a/{z}/{x}/{y}'", "data:{z}{x}{y}",
      "https://ä/{z}/{x}/{y}",
    ])
  func refuses(address: String) {
    #expect(Self.source(address) == nil)
  }

  @Test("Anything else in it")
  func members() {
    let url: JSONValue = "https://a/{z}/{x}/{y}"
    #expect(
      TileSource(json: ["url": url, "attribution": "© a", "on": true])
        .map { [$0.attribution, "\($0.isOn)"] } == ["© a", "true"])
    let wrong: [JSONValue] = [
      .null, "x", [:], ["url": 1], ["url": url, "on": "yes"], ["url": url, "attribution": 1],
      ["url": url, "attribution": "a\nb"], ["url": url, "other": 1],
      ["url": url, "attribution": .string(String(repeating: "a", count: 201))],
      ["url": .string("https://a/{z}/{x}/{y}" + String(repeating: "a", count: 500))],
    ]
    for json in wrong { #expect(TileSource(json: json) == nil, "\(json)") }
  }

  @Test("Kept, and told only while they are on", arguments: StorageKind.available)
  func kept(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    let on: JSONValue = ["url": "https://a/{z}/{x}/{y}", "on": true]
    let off: JSONValue = ["url": "https://b/{z}/{x}/{y}"]
    try await accounts.keep(
      ["tilesStandard": off.description, "tilesHybrid": on.description], by: nil, at: 1)
    #expect(try await accounts.tiles().map(\.look) == [.hybrid])
    #expect(try await accounts.tiles().map(\.source.origin) == ["https://a"])
    try await accounts.keep(["tilesHybrid": nil], by: nil, at: 2)
    #expect(try await accounts.tiles().isEmpty)
  }
}
