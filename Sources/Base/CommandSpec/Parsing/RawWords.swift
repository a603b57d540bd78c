/// A look at words that cannot be parsed: how an error is to be reported may stand among them.
public enum RawWords {
  /// The last value that seems to be given to an option by its long name, as in `--format jsonl`
  /// or `--format=jsonl`; nil where there is none.
  public static func text(of option: String, in words: [String]) -> String? {
    let name = "--\(option)"
    var text: String?
    for (index, word) in words.enumerated() {
      if word == "--" { break }
      if word == name, index + 1 < words.count { text = words[index + 1] }
      if word.hasPrefix(name + "=") { text = String(word.dropFirst(name.count + 1)) }
    }
    return text
  }
}
