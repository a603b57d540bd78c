import Foundation
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

  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs a program with a home folder of its own and an English locale; `package` is the Debian
  /// package it comes with.
  static func run(
    _ program: String, package: String, _ arguments: [String], in folder: URL
  ) throws -> Result {
    let search = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let path = search.map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let path else { throw Missing(program: program, package: package) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": search.joined(separator: ":"), "HOME": folder.path, "LC_ALL": "C.UTF-8",
      "TERM": "xterm",
    ]
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (folder.appending(path: "out"), folder.appending(path: "err"))
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
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
