import Foundation
import Testing

/// Texts that are kept beside the tests; run with `UPDATE_SNAPSHOTS=1` to write them anew.
enum Snapshot {
  static func expect(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Snapshots/\(name)")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    let (new, old) = (text.split(separator: "\n"), kept.split(separator: "\n"))
    for (index, line) in new.enumerated() where index >= old.count || old[index] != line {
      Issue.record(
        "\(name) differs first at: \(line) (UPDATE_SNAPSHOTS=1 writes it anew)",
        sourceLocation: sourceLocation)
      return
    }
    #expect(
      text == kept, "\(name) is shorter or differs in blank lines", sourceLocation: sourceLocation)
  }
}
