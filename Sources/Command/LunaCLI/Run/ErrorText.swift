import Glibc

/// The C library's words for error numbers.
enum ErrorText {
  static func of(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }
}
