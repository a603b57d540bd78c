import Foundation
import LunaTesting
import Testing

/// The command as a user runs it, with a state directory of its own.
final class Luna: Sendable {
  /// What a run gave.
  struct Answer {
    let code: Int32
    let output: String
    let errors: String

    /// The lines of JSON.
    var lines: [[String: Any]] {
      output.split(separator: "\n").compactMap {
        (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
      }
    }

    /// Those about devices.
    ///
    /// Of what a frame says twice, once: that a battery is low comes with what else it says.
    var updates: [[String: Any]] {
      lines.filter { $0["type"] as? String == "device" && $0["event"] as? String != "batteryLow" }
    }
  }

  let directory: String

  init() throws {
    directory = NSTemporaryDirectory() + "luna-command-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// The binary lies beside the tests.
  private static func binary() throws -> URL {
    let words =
      CommandLine.arguments.map { URL(fileURLWithPath: $0) } + Bundle.allBundles.map(\.bundleURL)
    for word in words {
      var directory = word.deletingLastPathComponent()
      for _ in 0..<3 {
        let file = directory.appendingPathComponent("luna")
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory),
          !isDirectory.boolValue
        {
          return file
        }
        directory.deleteLastPathComponent()
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// A file in the directory.
  func file(_ name: String, _ text: String) throws -> String {
    let path = "\(directory)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Variables for a run with a state directory besides that of the others.
  func beside(_ name: String) throws -> [String: String] {
    let path = "\(directory)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return ["XDG_DATA_HOME": path]
  }

  func run(
    _ words: [String], input: String = "", inputFile: String? = nil, output: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> Answer {
    // Files, so that no pipe can fill up.
    let paths = ["input", "output", "errors"].map { "\(directory)/\($0)-\(UUID().uuidString)" }
    try input.write(toFile: paths[0], atomically: true, encoding: .utf8)
    let program = try TestProgram(
      [try Luna.binary().path] + words,
      environment: [
        "XDG_DATA_HOME": directory, "PATH": "/usr/bin:/bin", "LUNA_SYSTEM_CONFIG": "/dev/null",
      ].merging(environment) { $1 }, input: inputFile ?? paths[0],
      output: .file(output ?? paths[1]),
      errors: .file(paths[2]))
    let code = await program.ended()
    return Answer(
      code: code,
      output: output == nil ? try String(contentsOfFile: paths[1], encoding: .utf8) : "",
      errors: try String(contentsOfFile: paths[2], encoding: .utf8))
  }
}
