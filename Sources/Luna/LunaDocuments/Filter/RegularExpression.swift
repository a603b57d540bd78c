/// A POSIX extended regular expression (IEEE 1003.1, 9.4), with `(?i)` in front for one that ignores
/// case, and the C library's `\w`, `\W`, `\s`, `\S`, `\b` and `\B`.
///
/// It works on characters of Unicode, whatever the locale. All ways through the expression are
/// followed at once, so that the time is at most its size times the length of the text: no
/// expression and no text from the air can make it hang, as back-references could, which POSIX does
/// not have here.
struct RegularExpression: Sendable {
  /// Why a text is no regular expression.
  struct CompileError: Error, Equatable {
    let reason: String
    var remedy: String?
    /// Characters before the place.
    let position: Int
  }

  private let program: [RegularExpressionStep]
  private let ignoresCase: Bool

  init(_ pattern: String) throws(CompileError) {
    var parser = RegularExpressionParser(pattern)
    let node = try parser.parse()
    var compiler = RegularExpressionCompiler()
    program = try compiler.compile(node)
    ignoresCase = parser.ignoresCase
  }

  /// Whether the expression matches somewhere in `text`.
  func matches(_ text: String, ignoringCase: Bool = false) -> Bool {
    var run = RegularExpressionRun(program, ignoresCase: ignoresCase || ignoringCase)
    return run.matches(Array(text.unicodeScalars))
  }
}
