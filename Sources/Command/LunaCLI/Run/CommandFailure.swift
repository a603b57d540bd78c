import Bluetooth
import CommandSpec
import FileOutput

/// What a command ends with when it cannot do what was asked: one line for a person, one JSON
/// object for a program.
struct CommandFailure: Error, Sendable {
  let code: ExitCode
  /// What happened and why.
  let reason: String
  /// What to do.
  let hint: String?

  init(_ code: ExitCode, _ reason: String, hint: String? = nil) {
    self.code = code
    self.reason = reason
    self.hint = hint
  }

  init(_ error: SourceError) {
    self.init(ExitCode(error.kind), error.reason, hint: error.hint)
  }

  init(_ error: UsageError) {
    self.init(.usage, error.description)
  }

  init(writing error: OutputBuffer.WriteError, to what: String) {
    let failure = FileOutputError(error.code, path: what)
    self.init(ExitCode(failure.kind), failure.reason, hint: failure.hint)
  }
}
