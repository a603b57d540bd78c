import HTTPServer
import Testing

@testable import LunaBackend

@Suite("The console's pages")
struct ConsoleTests {
  private let console: Console

  init() throws { console = try Console() }

  private func get(_ path: String, tag: String? = nil, tiles: Set<String> = []) -> HTTPResponse? {
    let head = HTTPHead(
      method: "GET", target: path,
      headers: tag.map { [HTTPHeader("If-None-Match".utf8, $0.utf8)] } ?? [])
    return console.response(to: head, isStrict: false, tiles: tiles)
  }

  private func header(_ name: String, _ response: HTTPResponse?) -> String {
    response?.headers.first { $0.name == name }?.value ?? ""
  }

  @Test("Servers of tiles stand in the policy of pages only while there are any")
  func tiles() {
    let name = "Content-Security-Policy"
    #expect(header(name, get("/ui/map")).contains("img-src 'self' data: blob:;"))
    let tiles: Set = ["https://b", "https://a"]
    #expect(
      header(name, get("/ui/map", tiles: tiles))
        .contains("img-src 'self' data: blob: https://a https://b;"))
  }

  @Test("A page is sent whole, since its policy may be another one; a file only where it is new")
  func whole() {
    let page = get("/ui/gateways/1/devices")
    #expect(page?.status == 200)
    #expect(get("/ui/map", tag: header("ETag", page))?.status == 200)
    let file = get("/ui/assets/pages/devices.js")
    #expect(file?.status == 200)
    #expect(get("/ui/assets/pages/devices.js", tag: header("ETag", file))?.status == 304)
    #expect(get("/ui/devices/0011223344556677")?.status == 200)
    #expect(get("/ui/nothing")?.status == 404)
  }
}
