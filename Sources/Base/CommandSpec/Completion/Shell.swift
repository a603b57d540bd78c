/// The shells for which completions are made.
public enum Shell: String, CaseIterable, Sendable {
  /// GNU Bash 4.3 or later.
  case bash
  /// The Z shell, 5.0 or later.
  case zsh
  /// The fish shell, 3.0 or later.
  case fish

  /// A script that makes this shell complete the program's whole command line.
  public func completions(for root: CommandDescription) -> String {
    switch self {
    case .bash: BashCompletion(root: root).script
    case .zsh: ZshCompletion(root: root).script
    case .fish: FishCompletion(root: root).script
    }
  }
}
