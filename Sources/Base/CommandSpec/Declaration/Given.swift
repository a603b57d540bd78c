/// What was said about an option, on the command line or in a configuration file.
public enum Given: Sendable, Equatable {
  /// The flag was given.
  case on
  /// The flag was taken back: `--no-name`, or `name = no`.
  case off
  /// The option was given with this value.
  case text(String)
  /// The option was given with this value for one of several things of a name: in a section
  /// `[COMMAND NAME]` of a configuration file.
  case named(String, value: String)
}
