import Bluetooth

extension Duration {
  /// The first whole millisecond at which it is over.
  var roundedUpMilliseconds: Int64 {
    let whole = wholeMilliseconds
    return .milliseconds(whole) < self ? whole + 1 : whole
  }
}
