import Foundation

@testable import LunaHome

/// The files beside these tests.
enum HomeFiles {
  static let names = ["empty", "full", "older", "older.migrated", "reference", "seed"]

  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files")
    return [UInt8](try Data(contentsOf: folder.appending(path: name + ".json")))
  }

  static func read(_ name: String) throws -> HomeFile { HomeFile(try bytes(name)) }
}

extension HomeFile {
  init(_ text: String, in surroundings: HomeSurroundings = HomeSurroundings()) {
    self.init(Array(text.utf8), in: surroundings)
  }

  /// Codes with the places, for comparisons: `missingComma 3:7`.
  var brief: [String] { problems.map { "\($0.code.rawValue) \($0.line):\($0.column)" } }
  var codes: [Problem.Code] { problems.map(\.code) }
  /// The same without the warnings of keys that are accepted and do nothing.
  var codesOfUsedKeys: [Problem.Code] {
    problems.filter { !$0.reason.hasPrefix("nothing is done with") }.map(\.code)
  }
}
