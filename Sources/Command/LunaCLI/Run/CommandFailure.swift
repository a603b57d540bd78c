import Bluetooth
import CommandSpec
import Diagnosis
import FileOutput
import LunaDocuments

/// What a command ends with when it cannot do what was asked: one line for a person, one JSON
/// object for a program.
struct CommandFailure: Error, Sendable {
  let code: ExitCode
  /// What happened and why.
  let reason: String
  /// What to do.
  var hint: String?
  /// What programs know it by, where more than one thing has the code.
  var name: String?
  /// The number that Wehe's client ends with; nil where it has none.
  var weheCode: Int?

  init(_ code: ExitCode, _ reason: String, hint: String? = nil) {
    self.code = code
    self.reason = reason
    self.hint = hint
  }

  /// What an error says, in the words of the command.
  init(_ code: ExitCode, _ error: some Diagnosed) {
    self.init(code, error.diagnosis.problem, hint: error.remedy?.description)
  }

  /// A recording, or what is written of one.
  init(_ error: SourceError) {
    self.init(ExitCode(error.kind), error)
  }

  /// A radio: where more can be found out about it, that is said too.
  init(radio error: SourceError) {
    switch error.kind {
    case .noAdapter, .noPermission, .off, .busy, .lost:
      self.init(ExitCode(error.kind), radio: error)
    case .unreadable, .invalid: self.init(error)
    }
  }

  /// Something that failed for the adapter's sake.
  init(_ code: ExitCode, radio error: some Diagnosed) {
    let more: Remedy = "\(.doctor) finds out more"
    let hint = error.remedy.map { "\($0); \(more)" } ?? more
    self.init(code, error.diagnosis.problem, hint: hint.description)
  }

  init(_ error: UsageError) {
    self.init(.usage, error.problem, hint: error.hint)
  }

  init(writing error: OutputBuffer.WriteError, to what: String) {
    let failure = FileOutputError(error.code, path: what)
    self.init(ExitCode(failure.kind), failure)
  }
}
