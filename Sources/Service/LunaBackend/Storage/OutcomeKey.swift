import Diagnosis
import LunaCrypto

/// Names a request by who sent it, with which key and what was in it, so that its outcome can be looked up when the
/// answer was lost (SCALE.md, 3.2). Nobody meets another's.
public struct OutcomeKey: Hashable, Sendable {
  /// How long an outcome is kept.
  public static let life = Duration.seconds(600)

  /// SHA-256 of all that.
  public let digest: [UInt8]

  /// The name of a request.
  ///
  /// - Parameters:
  ///   - role: what kind of holder it is.
  ///   - holder: who sent it; what is secret of them stays so.
  ///   - key: what the sender calls it, at each repetition.
  ///   - body: what was sent.
  /// - Throws: ``StorageError`` where there is no SHA-256.
  public init(
    _ role: String, holder: String, key: String, body: [UInt8]
  ) throws(StorageError) {
    // Each part behind its length, so that none can end in another.
    var message: [UInt8] = []
    for part in [Array(role.utf8), Array(holder.utf8), Array(key.utf8), body] {
      withUnsafeBytes(of: UInt64(part.count).bigEndian) { message += $0 }
      message += part
    }
    do throws(CryptoError) {
      let digest = try SHA256.digest(of: message.span)
      self.digest = digest.indices.map { digest[$0] }
    } catch {
      throw StorageError(.failed, error.description)
    }
  }
}
