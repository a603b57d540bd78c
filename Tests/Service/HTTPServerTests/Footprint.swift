import FileOutput
import Glibc

/// What this process uses now, and what the threads of the HTTP library in it have done.
struct Footprint {
  /// Bytes in memory.
  var memory = 0
  var serverThreads = 0
  /// How often a thread of the library went to sleep.
  var serverWakeUps = 0

  init() {
    memory = Footprint.number("VmRSS:", in: "/proc/self/status") * 1024
    for name in Directory.names(in: "/proc/self/task") ?? [] {
      let path = "/proc/self/task/\(name)"
      guard Footprint.text("\(path)/comm").hasPrefix("MHD-") else { continue }
      serverThreads += 1
      serverWakeUps += Footprint.number("voluntary_ctxt_switches:", in: "\(path)/status")
    }
  }

  private static func number(_ name: String, in path: String) -> Int {
    for line in text(path).split(separator: "\n") where line.hasPrefix(name) {
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return 0
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    return String(decoding: bytes.prefix(fread(&bytes, 1, bytes.count, file)), as: UTF8.self)
  }
}
