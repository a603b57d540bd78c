extension StorageError {
  /// More tokens than a rotation needs.
  static func tooManyTokens(_ token: TokenRecord) -> StorageError {
    StorageError(
      .limit,
      "\(token.role.rawValue) \(token.name) has \(TokenRecord.liveLimit) live tokens already",
      hint: "revoke one of them first: luna backend token list")
  }
}
