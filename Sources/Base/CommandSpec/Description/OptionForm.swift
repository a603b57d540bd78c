/// How an option is written.
public enum OptionForm: Sendable, Equatable {
  /// `--name`.
  case flag
  /// `--name` and `--no-name`.
  case negatableFlag
  /// `--name`, more of the same each time it is given.
  case count
  /// `--name VALUE`, `--name=VALUE`.
  case value(placeholder: String, hint: ValueHint)
}
