/// What is known of an option apart from where its value goes.
public struct OptionDescription: Sendable, Equatable {
  /// The name without its two hyphens, as in `min-rssi`; also its key in a configuration file.
  public var long: String
  /// The one-letter form, as in `-r`.
  public var short: Character?
  /// What it does, in one sentence without a full stop.
  public var help: String
  /// How it is written.
  public var form: OptionForm
  /// Whether each time it is given counts, instead of the last time only.
  public var isRepeatable = false
  /// Whether a command line has it once at most, as the values before the last would be lost unseen.
  public var isGivenOnce = false
  /// Whether the command cannot do without it.
  public var isRequired = false
  /// What holds when it is not given, in words for help.
  public var defaultText: String?
  /// The variable of the environment that gives its value when the command line does not.
  public var variable: String?
  /// Whether help and completions keep quiet about it.
  public var isHidden = false
  /// Whether it can be given in configuration files only.
  public var isOnlyInFiles = false
  /// Whether it can stand in a section `[COMMAND NAME]` too, for one of several things.
  public var takesName = false
  /// The value that it has when it stands alone; nil where it cannot.
  public var impliedValue: String?
  /// Whether its value must never be repeated in an error message.
  public var isSecret = false

  /// An option that is written in this form.
  public init(_ long: String, short: Character? = nil, _ help: String, form: OptionForm) {
    self.long = long
    self.short = short
    self.help = help
    self.form = form
  }

  /// What to complete for its value, nil for a flag.
  public var hint: ValueHint? {
    if case .value(_, let hint) = form { hint } else { nil }
  }

  /// The word that stands for its value in help, nil for a flag.
  public var placeholder: String? {
    if case .value(let placeholder, _) = form { placeholder } else { nil }
  }

  /// Every way to write its name, short first: `["-c", "--count"]`.
  public var names: [String] {
    var names: [String] = []
    if let short { names.append("-\(short)") }
    names.append("--\(long)")
    if form == .negatableFlag { names.append("--no-\(long)") }
    return names
  }
}
