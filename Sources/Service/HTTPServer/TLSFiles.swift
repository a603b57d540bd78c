import Diagnosis
import Glibc
import SafeText

/// A certificate chain and its key, PEM.
public struct TLSFiles: Sendable {
  /// The certificates, that of the server first.
  let certificate: String
  /// The private key.
  let key: String

  /// Reads both.
  ///
  /// - Throws: ``ServerError`` when one cannot be read or is not PEM.
  public init(certificateFile: String, keyFile: String) throws(ServerError) {
    certificate = try TLSFiles.read(certificateFile, "certificate", "CERTIFICATE")
    key = try TLSFiles.read(keyFile, "key", "PRIVATE KEY")
  }

  private static func read(
    _ path: String, _ what: String, _ label: String
  ) throws(ServerError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ServerError(
        [EACCES, EPERM].contains(errno) ? .denied : .certificate,
        "cannot read the \(what) \(path): \(String(cString: strerror(errno)))",
        remedy: "give this user access to it")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var count = 0
    while count < bytes.count {
      let room = bytes.count - count
      let step = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress.map { $0 + count }, room)
      }
      if step < 0, errno == EINTR { continue }
      if step <= 0 { break }
      count += step
    }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    guard text.contains(text: "-----BEGIN"), text.contains(text: "\(label)-----") else {
      throw ServerError(
        .certificate, "\(path) holds no \(what) in PEM",
        remedy: "it begins with -----BEGIN \(label)-----")
    }
    return text
  }
}
