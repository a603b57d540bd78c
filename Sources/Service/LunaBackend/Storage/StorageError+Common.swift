import Glibc

extension StorageError {
  /// A file cannot be opened or made.
  static func opening(_ path: String, _ code: Int32, _ hint: String) -> StorageError {
    let reason = "cannot open \(path): \(String(cString: strerror(code)))"
    switch code {
    case ENOSPC, EDQUOT: return StorageError(.full, reason, hint: "free some space")
    case ENOENT, ENOTDIR:
      return StorageError(.missing, reason, hint: "make its directory first, or name another file")
    case EEXIST:
      return StorageError(
        .exists, "\(path) is there already", hint: "name another file, or use --force")
    case EROFS, EISDIR: return StorageError(.missing, reason, hint: "name another file")
    default: return StorageError(.denied, reason, hint: "\(hint), or name another file")
    }
  }

  /// More tokens than a rotation needs.
  static func tooManyTokens(_ token: TokenRecord) -> StorageError {
    StorageError(
      .limit,
      "\(token.role.rawValue) \(token.name) has \(TokenRecord.liveLimit) live tokens already",
      hint: "revoke one of them first: luna backend token list")
  }
}
