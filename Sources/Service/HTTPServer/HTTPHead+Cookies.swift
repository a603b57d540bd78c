extension HTTPHead {
  /// The value of a cookie; nil where there is none, or more than one, and where there are two headers.
  public func cookie(_ name: String) -> String? {
    let lines = raw("cookie")
    return lines.count == 1 ? HTTPCookie.value(of: name, in: lines[0]) : nil
  }
}
