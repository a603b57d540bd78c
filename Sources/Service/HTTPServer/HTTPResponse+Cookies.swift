extension HTTPResponse {
  /// Sets a cookie.
  ///
  /// - Returns: false, and it is not set, where its flags are not those that its name promises.
  @discardableResult
  public mutating func set(_ cookie: HTTPCookie) -> Bool {
    guard let line = cookie.line else { return false }
    headers.append(("Set-Cookie", line))
    return true
  }
}
