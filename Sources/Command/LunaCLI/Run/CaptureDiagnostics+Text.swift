import Bluetooth

extension CaptureDiagnostics {
  /// What is wrong with a capture file: where first, and how often; no lines when nothing is.
  func lines(of name: String) -> [String] {
    guard let first else { return [] }
    let counts = CaptureDamage.allCases.filter { count(of: $0) > 0 }
      .map { "\(count(of: $0)) × \($0.phrase)" }.joined(separator: ", ")
    var lines = ["\(name): damaged at byte \(firstOffset): \(first.phrase)"]
    if total > 1 { lines.append("\(name): total damage: \(counts)") }
    if skippedBytes > 0 {
      lines.append("\(name): skipped \(skippedBytes) bytes to find the next record")
    }
    return lines
  }
}
