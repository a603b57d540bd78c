@testable import LunaDocuments

extension OutputBuffer {
  /// What was appended, line by line.
  var lines: [String] {
    String(decoding: take(), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
