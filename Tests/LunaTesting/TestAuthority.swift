/// A certificate authority of a test's own, which openssl makes; its files are gone with it.
public final class TestAuthority: Sendable {
  /// What it has certified; the files stay as long as this.
  public struct Certified: Sendable {
    /// The file of the certificate.
    public let certificate: String
    /// The file of its key.
    public let key: String
    fileprivate let folder: TestFolder
  }

  /// What could not be made.
  public struct Failure: Error {
    /// What openssl said.
    public let reason: String
  }

  private let folder = TestFolder()

  /// An authority.
  public init() throws {
    try make(
      """
      openssl req -x509 $new -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
      """, [])
  }

  /// The file of its certificate.
  public var certificate: String { folder.path + "/ca.pem" }

  /// A file that is no certificate.
  public var noCertificate: String { folder.path + "/ca.key" }

  /// A certificate.
  ///
  /// - Parameters:
  ///   - names: whose, as openssl writes it: `DNS:luna.example,IP:127.0.0.1`.
  ///   - isExpired: since yesterday.
  public func certify(_ names: String, isExpired: Bool = false) throws -> Certified {
    let name = names.filter { $0.isLetter || $0.isNumber } + (isExpired ? "-old" : "")
    try make(
      """
      openssl req $new -nodes -subj /CN=test -keyout "$1.key" -out "$1.csr"
      printf 'subjectAltName=%s' "$2" > "$1.ext"
      openssl x509 -req -days "$3" -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial \
        -extfile "$1.ext" -out "$1.pem"
      """, [name, names, isExpired ? "-1" : "2"])
    return Certified(
      certificate: "\(folder.path)/\(name).pem", key: "\(folder.path)/\(name).key",
      folder: folder)
  }

  private func make(_ script: String, _ words: [String]) throws {
    let head = "set -e; new='-newkey ec -pkeyopt ec_paramgen_curve:P-256'\n"
    let result = try TestProgram.run(
      ["/bin/sh", "-c", head + script, "sh"] + words, directory: folder.path)
    guard result.status == 0 else { throw Failure(reason: result.errors) }
  }
}
