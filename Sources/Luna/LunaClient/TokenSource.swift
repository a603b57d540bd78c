import Diagnosis
import Glibc
import LunaCore
public import LunaCrypto

/// Where a token comes from. It is read for every request, so that a rotation needs no restart.
public enum TokenSource: Sendable {
  /// No token, for what needs none.
  case none
  /// A file that holds it, and perhaps a line break.
  case file(String)
  /// A credential of systemd (`LoadCredential=NAME:PATH`).
  case credential(String)
  /// The token itself, for tests and for what was just enrolled.
  case token(SecretBytes)
  /// What gives one that holds just now, such as an account that somebody is signed in to.
  case provider(any TokenProvider)

  /// Where systemd puts credentials.
  private static var credentials: String? {
    getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
  }

  /// The header line with the token, and a zero byte; nil without one. One of a provider is not asked
  /// for here.
  func header(
    credentials directory: String? = TokenSource.credentials
  ) throws(BackendError) -> SecretBytes? {
    switch self {
    case .none, .provider: return nil
    case .file(let path): return try TokenSource.read(path)
    case .credential(let name):
      guard let directory else {
        throw BackendError(
          .local, "there are no credentials of systemd (CREDENTIALS_DIRECTORY is not set)",
          remedy: "add LoadCredential=\(name):PATH to the unit, or name a file")
      }
      return try TokenSource.read(directory + "/" + name)
    case .token(let secret):
      return secret.withBytes { TokenSource.line($0) }
    }
  }

  /// A header line with a token, and a zero byte.
  package static func line(_ token: Span<UInt8>, name: String = "Authorization") -> SecretBytes {
    var bytes = Array("\(name): Bearer ".utf8)
    // At once: an array that grows leaves what it held behind.
    bytes.reserveCapacity(bytes.count + token.count + 1)
    for index in token.indices { bytes.append(token[index]) }
    bytes.append(0)
    defer { wipe(&bytes) }
    return SecretBytes(copying: bytes.span)
  }

  private static let whereFrom: Remedy =
    "make one with \(.tokenCreation) (a gateway's: \(.enrolment)), name its file with "
    + "\(.tokenFile), or use \(.signIn) and then \(.signedIn)"

  private static func read(_ path: String) throws(BackendError) -> SecretBytes {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw BackendError(
        .local, "cannot read the token file \(path): \(String(cString: strerror(errno)))",
        remedy: TokenSource.whereFrom)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    defer { wipe(&bytes) }
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else {
      throw BackendError(
        .local, "cannot read the token file \(path): \(String(cString: strerror(errno)))",
        remedy: TokenSource.whereFrom)
    }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let end = (bytes[..<count].lastIndex { !isSpace($0) } ?? -1) + 1
    let start = bytes[..<end].firstIndex { !isSpace($0) } ?? 0
    // Visible characters alone: a line break would make another header of what follows.
    guard end > start, bytes[start..<end].allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      throw BackendError(
        .local, "\(path) holds no token", remedy: "it is one line: luna-ROLE- and 64 digits")
    }
    return TokenSource.line(bytes.span.extracting(start..<end))
  }
}
