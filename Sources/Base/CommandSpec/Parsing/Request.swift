/// What the words of a command line ask for.
public enum Request<Outcome>: Sendable {
  /// Print this text on standard output.
  case help(String)
  /// Print the version.
  case version
  /// Print this description of the whole command line, JSON.
  case specification(String)
  /// Run the command that was matched.
  case run(Match<Outcome>)
}
