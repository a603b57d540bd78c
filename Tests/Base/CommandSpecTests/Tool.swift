import Foundation
import LunaTesting
import Testing

/// A program that a test needs; a test without it fails and says what to install.
enum Tool {
  struct Missing: Error, CustomStringConvertible {
    var program: String
    var package: String
    var description: String {
      "\(program) is not installed: apt-get install \(package)"
    }
  }

  /// Runs a program with a home folder of its own and an English locale; `package` is the Debian
  /// package it comes with.
  static func run(
    _ program: String, package: String, _ arguments: [String], in folder: URL
  ) throws -> TestProgram.Result {
    let search = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let path = search.map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let path else { throw Missing(program: program, package: package) }
    return try TestProgram.run(
      [path] + arguments,
      environment: [
        "PATH": search.joined(separator: ":"), "HOME": folder.path, "LC_ALL": "C.UTF-8",
        "TERM": "xterm",
      ], directory: folder.path)
  }

  /// An empty folder that is removed afterwards.
  static func inFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "CommandSpecTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
