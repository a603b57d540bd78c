extension TextScan {
  /// Hands on the UTF-8 of a text piece by piece: what may be passed on as it is, and what `escape`
  /// makes of each character that may not.
  ///
  /// - Parameters:
  ///   - quotes: whether the quotation mark and the backslash are escaped as well.
  ///   - put: takes a piece; it is not valid later.
  public static func write(
    _ text: String, quotes: Bool, escape: (UInt32) -> String,
    to put: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      while let stop = next(in: bytes, from: start, quotes: quotes) {
        put(UnsafeBufferPointer(rebasing: bytes[start..<stop.offset]))
        var escaped = escape(stop.scalar)
        escaped.withUTF8(put)
        start = stop.offset + stop.count
      }
      put(UnsafeBufferPointer(rebasing: bytes[start...]))
    }
  }
}
