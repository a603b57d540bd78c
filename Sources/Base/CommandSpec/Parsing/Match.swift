/// A command that was found on the command line, with what was said about its options.
public struct Match<Outcome>: Sendable {
  let root: CommandDescription
  var scan: WordScan
  let resolver: CommandNode<Outcome>.Resolve

  init(root: CommandDescription, scan: WordScan, resolver: @escaping CommandNode<Outcome>.Resolve) {
    self.root = root
    self.scan = scan
    self.resolver = resolver
  }

  /// The words that lead to the command, the program's name first.
  public var path: [String] { scan.path }

  /// The last text given for an option, before any check; to find `--config` before the rest is
  /// read.
  public func text(of option: String) -> String? {
    scan.occurrences.last { $0.option == option }?.text
  }

  /// Whether a flag is set, before any check.
  package func isOn(_ option: String) -> Bool {
    scan.occurrences.last { $0.option == option }?.given == .on
  }

  /// Adds what a configuration file says about options that the command line leaves open, and files
  /// that were merged before.
  ///
  /// Keys before the first section count for every command that has them; a section for its
  /// command and those below; the nearer section wins. Unknown keys and sections are errors, also
  /// in the sections of other commands. A word of which an option of the command is none, and that of
  /// another command in the section is one, is meant for that one.
  public mutating func merge(_ file: ConfigurationFile) throws(UsageError) {
    scan.occurrences = try ConfigurationMerge(root: root, file: file).merge(into: scan)
  }

  /// Adds what variables of the environment say about options that the command line leaves open. To
  /// be called before a configuration file is merged, which comes after them.
  ///
  /// - Parameter value: the value of a variable, nil when it is not set.
  public mutating func merge(environment value: (String) -> String?) throws(UsageError) {
    scan.occurrences = try EnvironmentMerge(root: root, command: scan.command).merge(
      into: scan, value)
  }

  /// Converts and checks the values, and makes of them what the program wants to have.
  public func resolve() throws(UsageError) -> Outcome {
    try scan.checkExclusions()
    return try resolver(scan.occurrences, scan.operands, scan.place)
  }
}
