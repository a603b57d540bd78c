import LunaAccount

extension CommandFailure {
  /// Why nobody is signed in, or could not sign in.
  init(_ error: AccountError) { self.init(ExitCode(error), error) }
}
