import Diagnosis
import FileOutput
import Glibc
import LunaClient
import LunaCore
import LunaCrypto
import LunaStore

/// The token of a gateway in its state directory, and the one that it offers until then. Calls block.
struct EnrolmentFiles: Sendable {
  private static let role = TokenSource.Role.gateway

  /// Where the token is.
  let tokenFile: String
  /// The token that is offered: the same after a new start, since an answer may have been lost.
  private var offeredFile: String { "\(tokenFile).offered" }

  init(in directory: StateDirectory) {
    tokenFile = "\(directory.path)/\(EnrolmentFiles.role.tokenFile)"
  }

  /// Whether there is a token.
  var hasToken: Bool { access(tokenFile, F_OK) == 0 }

  /// The token.
  func token() throws(BackendError) -> SecretBytes {
    var bytes = try EnrolmentFiles.read(tokenFile)
    defer { wipe(&bytes) }
    let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    guard end > 0 else { throw BackendError(.local, "\(tokenFile) holds no token") }
    return SecretBytes(copying: bytes.span.extracting(first: end))
  }

  /// The token to offer; it is made where there is none.
  func offeredToken() throws(BackendError) -> String {
    let role = EnrolmentFiles.role.rawValue
    let there = String(decoding: try EnrolmentFiles.read(offeredFile), as: UTF8.self)
      .filter { !$0.isWhitespace }
    if TokenText.isToken(there, of: role) { return there }
    let text: String
    do throws(CryptoError) { text = try TokenText.make(role) } catch {
      throw BackendError(.local, error.description)
    }
    do throws(FileOutputError) {
      try FileOutput.write(
        Array((text + "\n").utf8), to: offeredFile, replacing: true, isSecret: true)
    } catch {
      throw BackendError(.local, error.reason, remedy: error.remedy)
    }
    return text
  }

  /// Another token is offered from now on.
  func forgetOffered() { unlink(offeredFile) }

  /// The token that was offered is that of the gateway from now on.
  func keep() throws(BackendError) {
    guard rename(offeredFile, tokenFile) == 0 else {
      throw BackendError(.local, "cannot write \(tokenFile): \(String(cString: strerror(errno)))")
    }
  }

  /// What is in a file; nothing where it is not there.
  private static func read(_ path: String) throws(BackendError) -> [UInt8] {
    do throws(FileInputError) {
      return try FileInput.readOwn(path) ?? []
    } catch {
      throw BackendError(.local, error.reason, remedy: error.remedy)
    }
  }
}
