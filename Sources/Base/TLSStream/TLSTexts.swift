import Glibc

/// Texts as C has them, for one call.
struct TLSTexts {
  private var copies: [UnsafeMutablePointer<CChar>] = []

  /// A text; nil for none, and for an empty one.
  mutating func pointer(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text, !text.isEmpty, let copy = strdup(text) else { return nil }
    copies.append(copy)
    return UnsafePointer(copy)
  }

  /// To be called when nobody uses them any more.
  func free() { for copy in copies { Glibc.free(copy) } }
}
