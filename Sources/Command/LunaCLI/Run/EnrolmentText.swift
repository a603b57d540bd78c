import LunaJSON

/// An enrolment code as it was handed on.
enum EnrolmentText {
  /// The code in a text: alone, or in the line that `luna backend enroll` prints into files and pipes.
  static func code(in text: String) -> String {
    if case .object(let line)? = try? JSONReader.read(Array(text.utf8)),
      let code = line.string("code")
    {
      return code
    }
    return text.filter { !$0.isWhitespace }
  }
}
