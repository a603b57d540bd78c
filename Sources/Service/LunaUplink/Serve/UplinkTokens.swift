import Bluetooth
import Diagnosis
package import HTTPServer
import LunaCrypto

/// Who may make checks with a server: whoever shows one of some tokens. Of a token only its hash is kept.
package struct UplinkTokens: Sendable {
  private let hashes: Set<String>

  /// Reads a file with a token on each line.
  ///
  /// - Throws: ``UplinkError`` of kind `denied` or `unreadable`, or ``LunaCrypto/CryptoError``.
  package init(_ path: String) async throws {
    let lines = try await UplinkFile.bytes(of: path).split(separator: UInt8(ascii: "\n"))
    let tokens = lines.map { $0.filter { $0 > 0x20 } }.filter { !$0.isEmpty }
    guard !tokens.isEmpty else {
      throw UplinkError(
        .unreadable, "\(path) holds no token", remedy: "write one on each line, without blanks")
    }
    hashes = try Set(tokens.map { try UplinkTokens.hash($0) })
  }

  /// The hash of the token that a head shows; nil where that is none of them.
  package func hash(_ head: HTTPHead) -> String? {
    guard let token = head.bearerToken, let hash = try? UplinkTokens.hash(Array(token.utf8)) else {
      return nil
    }
    return hashes.contains(hash) ? hash : nil
  }

  private static func hash(_ token: [UInt8]) throws -> String {
    let digest = try SHA256.digest(of: token.span)
    return Hex.lower(digest.indices.map { digest[$0] })
  }
}
