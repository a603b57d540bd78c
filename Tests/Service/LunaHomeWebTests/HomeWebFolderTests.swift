import Glibc
import HTTPServer
import LunaTesting
import Testing

@testable import LunaHomeWeb

@Suite("The folder with screens of somebody's own")
struct HomeWebFolderTests {
  private let folder = TestFolder()

  init() throws {
    #expect(mkdir(base + "/web", 0o700) == 0 && mkdir(base + "/web/sub.js", 0o700) == 0)
    try write("outside.js", "secret")
    try write("web/clock.js", "own")
    try write("web/home.json.bak", "copy")
    #expect(symlink(base + "/outside.js", base + "/web/out.js") == 0)
    #expect(symlink("clock.js", base + "/web/other.js") == 0)
    #expect(mkfifo(base + "/web/pipe.js", 0o600) == 0)
  }

  private var base: String { folder.path }

  private func write(_ name: String, _ text: String) throws {
    let file = try #require(fopen(base + "/" + name, "w"))
    fputs(text, file)
    fclose(file)
  }

  @Test(
    "Only plain names of files inside it are given away",
    arguments: [
      ("clock.js", true), ("other.js", true), ("out.js", false), ("pipe.js", false),
      ("sub.js", false), ("../outside.js", false), ("..%2foutside.js", false),
      ("..\\outside.js", false), ("%2e%2e/outside.js", false), ("sub.js/../clock.js", false),
      ("", false), (".", false), ("..", false), (".js", false), ("clock", false),
      ("home.json.bak", false), ("nothing.js", false), ("clock.js\0.js", false),
    ])
  func names(name: String, isGiven: Bool) throws {
    #expect((try HomeWebFolder(path: base + "/web").asset(name) != nil) == isGiven)
    // A folder may itself be behind a link.
    #expect(symlink(base + "/web", base + "/link") == 0)
    #expect((try HomeWebFolder(path: base + "/link").asset(name) != nil) == isGiven)
  }
}
