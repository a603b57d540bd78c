import Foundation
import Glibc
import LunaCore
import SQLite
import Testing

@testable import LunaStore

/// Databases that are moved away so that something new can take their place.
@Suite struct SetAsideTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Nine of a kind are kept; the last place is given again, and has nothing of who was there before.
  @Test func theLastPlaceIsGivenAgain() throws {
    let database = try StateDirectory(path: place.path).place(of: "data")
    for number in 1...10 {
      try write("file \(number)", database.path)
      if number < 10 { try write("log \(number)", database.path + "-wal") }
      let other = try database.setAside(as: "damaged")
      #expect(other == "\(database.path).damaged-\(min(number, 9))")
      #expect(try text(other) == "file \(number)")
      #expect(access(database.path, F_OK) != 0 && access(database.path + "-wal", F_OK) != 0)
    }
    #expect(try text(database.path + ".damaged-8-wal") == "log 8")
    #expect(access(database.path + ".damaged-9-wal", F_OK) != 0)
  }
}
