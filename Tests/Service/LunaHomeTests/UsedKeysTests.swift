import Foundation
import Testing

@testable import LunaHome

/// Every key of the file does something, or the check says that it does nothing.
@Suite struct UsedKeysTests {
  /// What the check itself is told, and nobody else.
  private static let ofTheCheck: Set = ["strict", "server.plainHTTPOnLAN"]
  /// Where the keys of a file are read, but for their declaration and their check.
  private static let readers = [
    "Sources/Service/LunaHome/Configuration", "Sources/Service/LunaHome/Shell",
    "Sources/Service/LunaHome/Check/HomeFile.swift", "Sources/Service/LunaHomeWeb",
    "Sources/Service/LunaNotify", "Sources/Command/LunaCLI/Home",
  ]
  /// What the app gets as it stands in the file, and looks into.
  private static let ofTheApp = ["devices[]", "userExperience"]

  private static func text(below path: String) -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: path)
    let files =
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap {
        $0 as? URL
      } ?? []
    return ([root] + files).compactMap { try? String(contentsOf: $0, encoding: .utf8) }
      .joined(separator: "\n")
  }

  private static func isOfTheApp(_ path: String) -> Bool {
    ofTheApp.contains { path.hasPrefix($0) }
  }

  @Test func everyKeyIsReadOrWarnedOf() {
    let service = Self.readers.map { Self.text(below: $0) }.joined(separator: "\n")
    let app = Self.text(below: "Sources/Ground/CWebAssets/ui/home")
    #expect(service.count > 100_000 && app.count > 10_000)
    var all: [(path: String, key: Key)] = []
    Self.collect(HomeKeys.root, "", &all)
    for (name, shape) in HomeKeys.named { Self.collect(shape, name, &all) }
    #expect(all.count > 150)
    for (path, key) in all where !Self.ofTheCheck.contains(path) {
      let isRead =
        service.contains("\"\(key.name)\"")
        || Self.isOfTheApp(path)
          && [".", "'"].contains { sign in
            app.contains("\(sign)\(key.name)") && !app.contains("h('\(key.name)'")
          }
      // Below a key that does nothing, nothing does.
      if key.isUsed { #expect(isRead, "nothing reads \(path): let the check say so") }
    }
  }

  @Test func theCheckWarnsOfWhatDoesNothing() {
    let file = HomeFile(#"{"strict": true, "packages": [], "watch": {"enabled": true}}"#)
    #expect(file.isUsable)
    #expect(file.brief == ["unknownKey 1:18"])
  }

  private static func collect(
    _ shape: Shape, _ path: String, _ found: inout [(path: String, key: Key)]
  ) {
    switch shape {
    case .object(let members): collect(members.keys, path, &found)
    case .one(let keys): collect(keys, path, &found)
    case .list(let element, _): collect(element, path + "[]", &found)
    case .map(let value): collect(value, path + ".*", &found)
    case .either(let shapes): for shape in shapes { collect(shape, path, &found) }
    default: break
    }
  }

  private static func collect(
    _ keys: [Key], _ path: String, _ found: inout [(path: String, key: Key)]
  ) {
    for key in keys {
      let place = path.isEmpty ? key.name : "\(path).\(key.name)"
      found.append((place, key))
      if key.isUsed { collect(key.shape, place, &found) }
    }
  }
}
