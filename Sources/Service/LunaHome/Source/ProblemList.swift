/// The problems of one file: at most a hundred, the errors before the warnings where there are more.
struct ProblemList: Sendable {
  static let limit = 100

  private let text: SourceText
  private var errors: [(offset: Int, problem: Problem)] = []
  private var warnings: [(offset: Int, problem: Problem)] = []

  init(_ text: SourceText) { self.text = text }

  var hasErrors: Bool { !errors.isEmpty }

  mutating func add(
    _ code: Problem.Code, at offset: Int, path: [String], _ reason: String, hint: String? = nil
  ) {
    add(.error, code, at: offset, path: path, reason, hint: hint)
  }

  mutating func add(
    _ level: Problem.Level, _ code: Problem.Code, at offset: Int, path: [String],
    _ reason: String, hint: String? = nil
  ) {
    let isError = level == .error
    guard (isError ? errors.count : warnings.count) < ProblemList.limit else { return }
    let problem = Problem(
      level, code, text.position(of: offset), path: JSONPointer.text(path), reason: reason,
      hint: hint)
    if isError { errors.append((offset, problem)) } else { warnings.append((offset, problem)) }
  }

  /// The line that an offset is on, to name it in a reason.
  func line(of offset: Int) -> Int { text.line(of: offset) }

  /// All of them, in the order of the file.
  var sorted: [Problem] {
    (errors + warnings.prefix(ProblemList.limit - errors.count)).enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element.problem)
  }
}
