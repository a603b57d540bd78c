import Foundation
import Glibc
import SQLite
import Testing

/// Databases behind symbolic links.
@Suite struct LinkTests {
  private struct Failed: DatabaseError {
    let kind: SQLiteFailure.Kind
    let message: String
    init(_ failure: SQLiteFailure, path: String, doing: String) {
      kind = failure.kind
      message = failure.message
    }
  }

  private final class Folder {
    /// Behind all links itself.
    let path: String

    init() throws {
      let path = NSTemporaryDirectory() + "luna-links-\(UUID().uuidString)"
      for name in ["state", "disk"] {
        try FileManager.default.createDirectory(
          atPath: "\(path)/\(name)", withIntermediateDirectories: true)
      }
      let real = try #require(realpath(path, nil))
      defer { free(real) }
      self.path = String(cString: real)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func link(_ name: String, to end: String) { #expect(symlink(end, "\(path)/\(name)") == 0) }

    func make(_ name: String) {
      _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: nil)
    }

    func place(_ name: String) throws(Failed) -> String {
      try Database<Failed>.place(of: "\(path)/\(name)").path
    }
  }

  @Test func areFollowedToTheirEnd() throws {
    let folder = try Folder()
    folder.link("state/data", to: "../disk/./more//data")
    folder.link("disk/more", to: "\(folder.path)/disk/other")
    folder.link("up", to: "state/..")
    // Nothing is there yet.
    #expect(try folder.place("state/data") == folder.path + "/disk/other/data")
    #expect(try folder.place("up/up/disk/x") == folder.path + "/disk/x")
    #expect(try Database<Failed>.place(of: "/../..//luna-none").path == "/luna-none")
    #expect(try Database<Failed>.place(of: "/luna-none").directory == "/")
    let here = FileManager.default.currentDirectoryPath
    #expect(try Database<Failed>.place(of: "not/there").path.hasSuffix("/not/there"))
    #expect(try Database<Failed>.place(of: "../\(here)/x").path.hasSuffix("/x"))
  }

  @Test func theLogLiesBesideTheEnd() throws {
    let folder = try Folder()
    folder.make("disk/data")
    folder.link("state/data", to: "../disk/data")
    let database = try Database<Failed>(path: "\(folder.path)/state/data", patience: .seconds(1))
    try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE numbers(number INTEGER)")
    try database.transaction { () throws(Failed) in
      try database.execute("INSERT INTO numbers VALUES(1)")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/disk")
    #expect(Set(files) == ["data", "data-wal", "data-shm"])
    // The file is watched, not the link to it.
    #expect(unlink("\(folder.path)/state/data") == 0)
    try database.checkPlace()
    #expect(unlink("\(folder.path)/disk/data") == 0)
    #expect(throws: Failed.self) { try database.checkPlace() }
  }

  @Test func areFollowedOnce() throws {
    let folder = try Folder()
    folder.make("disk/data")
    folder.make("disk/other")
    folder.link("state/data", to: "../disk/data")
    let place = try Database<Failed>.place(of: "\(folder.path)/state/data")
    #expect(unlink(place.path) == 0)
    folder.link("disk/data", to: "other")
    let error = #expect(throws: Failed.self) {
      _ = try Database<Failed>(at: place, patience: .seconds(1))
    }
    #expect(error?.kind == .link)
    // Nor one on the way.
    #expect(rename("\(folder.path)/disk", "\(folder.path)/elsewhere") == 0)
    folder.link("disk", to: "elsewhere")
    #expect(unlink("\(folder.path)/elsewhere/data") == 0)
    folder.make("elsewhere/data")
    #expect(throws: Failed.self) {
      _ = try Database<Failed>(at: place, patience: .seconds(1))
    }
  }

  @Test func circlesAreErrors() throws {
    let folder = try Folder()
    folder.link("state/a", to: "b")
    folder.link("state/b", to: "a")
    let error = #expect(throws: Failed.self) { try folder.place("state/a") }
    #expect(error?.kind == .noFile)
  }

  @Test func whatIsNoFileIsAnError() throws {
    let folder = try Folder()
    folder.link("state/data", to: "../disk")
    #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
    for (name, word) in [("state/data", "a directory"), ("disk", "a directory"), ("pipe", "pipe")] {
      let error = #expect(throws: Failed.self) { try folder.place(name) }
      #expect(error?.kind == .noFile && error?.message.contains(word) == true, "\(name)")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a link to another user"))
  func thoseOfOthersAreRefused() throws {
    let folder = try Folder()
    folder.make("disk/data")
    folder.link("state/data", to: "../disk/data")
    folder.link("way", to: "disk")
    for (link, name) in [("state/data", "state/data"), ("way", "way/data")] {
      #expect(try folder.place(name) == folder.path + "/disk/data")
      #expect(lchown("\(folder.path)/\(link)", 65_534, 65_534) == 0)
      let error = #expect(throws: Failed.self) { try folder.place(name) }
      #expect(error?.kind == .link)
      #expect(error?.message == "\(folder.path)/\(link) is a symbolic link of user 65534")
    }
  }
}
