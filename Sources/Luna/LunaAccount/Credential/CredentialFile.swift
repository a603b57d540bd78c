import Bluetooth
import Diagnosis
import FileOutput
import Glibc
import LunaCore
import LunaCrypto
import LunaJSON
import LunaStore
import SafeText

/// The credential on disk, which all programs of a user share: `account/PROFILE.json` in the state
/// directory, mode 0600. Calls block.
///
/// It is always whole: a new one is written beside it and takes its name. Only who has
/// the lock writes.
struct CredentialFile: Sendable {
  /// More than any credential has.
  static let limit = 256 << 10

  let directory: String
  let profile: String

  /// - Throws: `configuration` for a profile that is no plain name.
  init(state: StateDirectory, profile: String) throws(AccountError) {
    guard JSONMembers.isWord(profile), profile.utf8.count <= 64 else {
      throw AccountError(
        .configuration, "\(ForeignText(profile)) is no name of a profile",
        remedy: "use 1 to 64 letters, digits, - and _")
    }
    directory = state.path + "/account"
    self.profile = profile
  }

  /// Where it is.
  var path: String { "\(directory)/\(profile).json" }
  var lockPath: String { "\(directory)/\(profile).lock" }
  /// Where the next one is written. It has one name, so that one who is killed leaves one at most.
  private var draft: String { "\(directory)/\(profile).json.new" }
  /// The digest of the credential of systemd that was taken over last.
  private var importMark: String { "\(directory)/\(profile).imported" }

  /// Makes the directory.
  func prepare() throws(AccountError) {
    do throws(DeviceStoreError) {
      try StateDirectory(path: directory).create(for: "\(profile).json")
    } catch {
      throw AccountError(.storage, error.reason, remedy: error.remedy)
    }
  }

  /// What is there; nil for nothing.
  func read() throws(AccountError) -> Credential? {
    guard var text = try CredentialFile.contents(of: path) else { return nil }
    do throws(FormatError) {
      return try Credential(json: &text)
    } catch {
      throw CredentialFile.damaged("\(path) is damaged: \(error)")
    }
  }

  /// Makes room for the next credential, so that one that an issuer has given can be kept.
  func reserve() throws(AccountError) {
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw CredentialFile.failure("make", draft, errno) }
    defer { close(descriptor) }
    let code = posix_fallocate(descriptor, 0, off_t(64 << 10))
    // File systems that cannot promise room are written to all the same.
    guard code == 0 || code == EOPNOTSUPP || code == EINVAL else {
      unlink(draft)
      throw CredentialFile.failure("make room in", draft, code)
    }
  }

  /// Gives back the room that was not needed.
  func release() { unlink(draft) }

  /// Puts a credential in the place of the one that is there.
  func write(_ credential: Credential) throws(AccountError) {
    var text = credential.json
    defer { wipe(&text) }
    try install(text, at: path)
  }

  /// Removes the credential, and what somebody left who was killed.
  func clear() throws(AccountError) {
    unlink(draft)
    guard unlink(path) == 0 || errno == ENOENT else {
      throw CredentialFile.failure("remove", path, errno)
    }
    syncDirectory()
  }

  /// Whether it may have changed: what a look without opening it tells.
  var mark: FileMark? { FileMark(path) }

  /// The credential that systemd has for this service, if it was not taken over before.
  ///
  /// - Parameter source: its file.
  func readImport(_ source: String) throws(AccountError) -> (Credential, digest: [UInt8])? {
    guard var text = try CredentialFile.contents(of: source) else { return nil }
    var digest: [UInt8] = []
    do throws(CryptoError) {
      let hash = try SHA256.digest(of: text.span)
      digest = hash.indices.flatMap { Array(Hex.lower(hash[$0]).utf8) }
    } catch {
      throw AccountError(.storage, error.reason)
    }
    if try CredentialFile.contents(of: importMark) == digest { return nil }
    do throws(FormatError) {
      return (try Credential(json: &text), digest)
    } catch {
      throw CredentialFile.damaged("the credential \(source) is no credential: \(error)")
    }
  }

  /// Notes that it was taken over.
  func noteImport(_ digest: [UInt8]) throws(AccountError) { try install(digest, at: importMark) }

  private func install(_ text: [UInt8], at path: String) throws(AccountError) {
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw CredentialFile.failure("make", draft, errno) }
    var code = fchmod(descriptor, 0o600) == 0 ? 0 : errno
    if code == 0 { code = FileOutput.put(text, descriptor) }
    if code == 0, ftruncate(descriptor, off_t(text.count)) != 0 { code = errno }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, rename(draft, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(draft)
      throw CredentialFile.failure("write", path, code)
    }
    syncDirectory()
  }

  private func syncDirectory() {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func failure(_ doing: String, _ path: String, _ code: Int32) -> AccountError {
    var error = AccountError(
      .storage, "cannot \(doing) \(path): \(String(cString: strerror(code)))",
      remedy: [ENOSPC, EDQUOT, EFBIG].contains(code)
        ? "free some space" : "give this user access to it, or use \(.directory)")
    switch code {
    case EACCES, EPERM, EROFS: error.storage = .denied
    case EINVAL: error.storage = .damaged
    default: break
    }
    return error
  }

  private static func damaged(_ what: String) -> AccountError {
    var error = AccountError(.storage, what, remedy: "remove it, and use \(.signIn)")
    error.storage = .damaged
    return error
  }

  private static func contents(of path: String) throws(AccountError) -> [UInt8]? {
    // A pipe that somebody has put there is not waited for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure("read", path, errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit
    else { throw failure("use", path, EINVAL) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let room = bytes.count - count
      let step = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress.map { $0 + count }, room)
      }
      if step < 0, errno == EINTR { continue }
      guard step >= 0 else { throw failure("read", path, errno) }
      if step == 0 { break }
      count += step
    }
    return count == bytes.count ? bytes : Array(bytes[..<count])
  }
}
