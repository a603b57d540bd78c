import Diagnosis
import FileOutput
import Glibc
import LunaCrypto

extension StorageError {
  /// A value of libcrypto, or that there is none.
  static func unless<Value>(
    _ value: @autoclosure () throws(CryptoError) -> Value
  ) throws(StorageError) -> Value {
    do throws(CryptoError) {
      return try value()
    } catch {
      throw StorageError(.failed, error.description)
    }
  }

  /// A file cannot be opened or made.
  static func opening(_ path: String, _ code: Int32, _ remedy: Remedy) -> StorageError {
    let reason = "cannot open \(path): \(String(cString: strerror(code)))"
    switch code {
    case ENOSPC, EDQUOT: return StorageError(.full, reason, remedy: "free some space")
    case ENOENT, ENOTDIR:
      return StorageError(
        .missing, reason, remedy: "make its directory first, or name another file")
    case EEXIST:
      return StorageError(
        .exists, "\(path) is there already", remedy: "name another file, or use \(.replacing)")
    case EROFS, EISDIR: return StorageError(.missing, reason, remedy: "name another file")
    default: return StorageError(.denied, reason, remedy: "\(remedy), or name another file")
    }
  }

  /// Nobody waits for it any more.
  static var late: StorageError {
    StorageError(
      .unavailable, "PostgreSQL has not done it in time",
      remedy: "look whether it is busy, or waits for a synchronous standby that is gone")
  }

  /// There is nothing where a storage should be.
  static func absent(_ path: String) -> StorageError {
    StorageError(
      .absent, "there is no storage \(path)",
      remedy: "name the one that the backend uses, or begin one: \(.migration)")
  }

  /// Nobody has ever kept anything there.
  static func empty(_ path: String) -> StorageError {
    StorageError(
      .foreign, "\(path) has never been a storage: it is empty", remedy: "name another file")
  }

  /// The log that the last run left cannot be read to its end: whoever opened it would have its rest left out
  /// without a word.
  static func leftDamaged(_ path: String, _ damage: String) -> StorageError {
    StorageError(
      .damaged, "\(path) is damaged: \(damage)",
      remedy: "start the backend, which takes what can be read, and says what cannot")
  }

  /// A copy cannot be written.
  init(_ error: FileOutputError) {
    let kind: Kind =
      switch error.kind {
      case .exists: .exists
      case .noDirectory: .missing
      case .denied: .denied
      case .full: .full
      case .failed: .failed
      }
    self.init(kind, error.diagnosis.problem, remedy: error.diagnosis.remedy)
  }

  /// More tokens than a rotation needs.
  static func tooManyTokens(_ token: TokenRecord) -> StorageError {
    StorageError(
      .limit,
      "\(token.role.rawValue) \(token.name) has \(TokenRecord.liveLimit) live tokens already",
      remedy: "revoke one of them first: \(.tokens)")
  }
}
