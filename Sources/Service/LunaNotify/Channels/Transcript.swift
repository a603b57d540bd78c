package import LunaClient
import LunaCrypto
import LunaProtocol
import SafeText
import Synchronization

/// What was said while something was sent, line by line, without secrets.
package final class Transcript: Sendable {
  private struct State {
    var lines: [String] = []
    /// What is never shown.
    var secrets: [SecretBytes] = []
    /// The names of headers that are secrets.
    var headers: Set<String> = ["authorization", "proxy-authorization", "cookie"]
    /// Whether the server asked for a part of the password.
    var isAsked = false
  }

  /// So many lines are kept.
  private static let limit = 500
  private let state = Mutex(State())

  package init() {}

  /// What was said.
  package var lines: [String] { state.withLock(\.lines) }

  /// Never shows this.
  func hide(_ secret: SecretBytes, header: String? = nil) {
    state.withLock { state in
      state.secrets.append(secret)
      if let header { state.headers.insert(header.lowercased()) }
    }
  }

  /// Takes what was said.
  package func hear(_ direction: ExchangeWatch.Direction, _ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    state.withLock { state in
      for line in text.split(whereSeparator: \.isNewline) where !line.isEmpty {
        guard state.lines.count < Transcript.limit else { return }
        let masked = Transcript.masked(String(line), direction, &state)
        state.lines.append("\(direction.rawValue) \(EscapedText.line(masked))")
      }
    }
  }

  private static func masked(
    _ line: String, _ direction: ExchangeWatch.Direction, _ state: inout State
  ) -> String {
    var line = line
    switch direction {
    case .inwards:
      state.isAsked = line.hasPrefix("334")
    case .out:
      // What follows AUTH, and what answers a server that asks for more (RFC 4954).
      if state.isAsked { return "***" }
      let words = line.split(separator: " ", maxSplits: 2)
      if words.count == 3, words[0].lowercased() == "auth" { return "\(words[0]) \(words[1]) ***" }
      if let colon = line.firstIndex(of: ":"),
        state.headers.contains(line[..<colon].lowercased())
      {
        return "\(line[..<colon]): ***"
      }
    case .aside: break
    }
    for secret in state.secrets {
      let (plain, encoded) = secret.withBytes { bytes in
        (
          String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self), Base64.encode(bytes)
        )
      }
      line = line.replacing(text: plain, with: "***").replacing(text: encoded, with: "***")
    }
    return line
  }
}
