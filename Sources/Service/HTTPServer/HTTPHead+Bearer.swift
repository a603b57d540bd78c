extension HTTPHead {
  /// The token of `Authorization: Bearer`, before which there are one or more spaces (RFC 9110, 11.4); nil without.
  package var bearerToken: String? {
    guard let text = first("authorization"), text.prefix(7).lowercased() == "bearer " else {
      return nil
    }
    let token = text.dropFirst(7).drop { $0 == " " }
    return token.isEmpty ? nil : String(token)
  }
}
