import Diagnosis
import Glibc

extension SecretReference {
  /// The longest secret, bytes.
  private static let limit = 64 * 1024

  /// Reads the secret; the line feed at the end of a file is none of it.
  package func read() throws(HomeError) -> String {
    switch self {
    case .environment(let name):
      guard let value = getenv(name) else {
        throw HomeError(.file, "the variable \(name) of a secret is not set")
      }
      return String(cString: value)
    case .file(let path): return try SecretReference.read(path)
    case .credential(let name):
      guard let directory = getenv("CREDENTIALS_DIRECTORY"),
        !name.split(separator: "/").contains("..")
      else { throw HomeError(.file, "there is no credential \(name): systemd has given none") }
      return try SecretReference.read(String(cString: directory) + "/" + name)
    }
  }

  private static func read(_ path: String) throws(HomeError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw HomeError(
        .file, "the secret in \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 || status.st_uid == 0,
      status.st_mode & 0o007 == 0
    else {
      throw HomeError(
        .file, "the secret in \(path) can be read by others",
        remedy: "take their rights away (0600)")
    }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { throw HomeError(.file, "there is no secret in \(path)") }
    var text = String(decoding: bytes[..<count], as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
