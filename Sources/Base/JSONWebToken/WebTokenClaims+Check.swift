extension WebTokenClaims {
  /// How much clocks may differ, s.
  private static let leeway: Int64 = 60

  /// Looks whether it holds.
  ///
  /// - Parameter now: s since 1970.
  package func checkTime(at now: Int64) throws(WebTokenRefusal) {
    // All numbers of a stranger: none of these sums can overflow with them on one side alone.
    if let end = expiresAt, end <= now - WebTokenClaims.leeway { throw .expired }
    for beginning in [notBefore, issuedAt].compactMap(\.self)
    where beginning > now + WebTokenClaims.leeway { throw .early }
  }

  /// Whose it is. What cannot be kept or shown is nobody's name.
  package func name() throws(WebTokenRefusal) -> String {
    guard let subject, WebTokenClaims.isName(subject) else { throw .subject }
    return subject
  }

  /// Whether a text can be kept and shown as a name.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }
}
