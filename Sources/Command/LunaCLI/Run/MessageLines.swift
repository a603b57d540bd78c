import CommandSpec
import Glibc
import TerminalTable

/// What is said to people on a terminal, in lines that end between words. Links and commands stay whole: they are there
/// to be copied.
enum MessageLines {
  /// Nobody reads a column of less.
  private static let narrowest = 20

  /// A message on standard error, in as many lines as the terminal needs; in one where that is none.
  static func folded(_ text: String) -> String {
    lines(text, on: STDERR_FILENO).joined(separator: "\n")
  }

  /// The lines on a descriptor; one where that is no terminal.
  static func lines(_ text: String, on descriptor: CInt) -> [String] {
    guard let width = Terminal.width(of: descriptor) else { return [text] }
    return lines(text, width: max(width, narrowest))
  }

  /// The lines; what must not be broken stands alone where it is wider.
  static func lines(_ text: String, width: Int) -> [String] {
    guard DisplayText.width(text) > width else { return [text] }
    let pieces = pieces(of: text)
    var lines: [String] = []
    var line = pieces[0]
    for piece in pieces.dropFirst() {
      let longer = line + " " + piece
      // One more blank breaks nothing.
      if piece.isEmpty || DisplayText.width(longer) <= width {
        line = longer
      } else {
        lines.append(line)
        line = piece
      }
    }
    return lines + [line]
  }

  /// What must not be broken: words, commands and options with what belongs to them.
  private static func pieces(of text: String) -> [String] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    var pieces: [String] = []
    var start = 0
    while start < words.count {
      let end = end(ofPieceAt: start, in: words)
      pieces.append(words[start..<end].joined(separator: " "))
      start = end
    }
    return pieces
  }

  private static func end(ofPieceAt start: Int, in words: [String]) -> Int {
    var end = start + 1
    var isOver = false
    func take() {
      isOver = bare(words[end]) != words[end]
      end += 1
    }
    if words[start].drop(while: isOpening) == "luna", words.count > end,
      LunaCommand.name(of: [bare(words[end])]) != nil
    {
      var below = LunaCommand.tree(for: [bare(words[end])]).description.subcommands
      while !isOver, end < words.count {
        guard let next = below.first(where: { $0.name == bare(words[end]) }) else { break }
        below = next.subcommands
        take()
      }
    } else if !words[start].hasPrefix("--") {
      return end
    } else {
      isOver = bare(words[start]) != words[start]
    }
    while !isOver, end < words.count, isArgument(bare(words[end])) { take() }
    return end
  }

  /// Whether it is an option, or stands for a value: FILE, or static:LAT,LON.
  private static func isArgument(_ word: String) -> Bool {
    word.hasPrefix("--") || word.utf8.count { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } > 1
  }

  private static func isOpening(_ character: Character) -> Bool {
    character == "(" || character == "'"
  }

  /// A word without the signs of the sentence that end behind it.
  private static func bare(_ word: String) -> String {
    let signs: [Character] = [",", ";", ":", ".", ")", "'"]
    var word = word[...]
    while let last = word.last, signs.contains(last) { word.removeLast() }
    return String(word)
  }
}
