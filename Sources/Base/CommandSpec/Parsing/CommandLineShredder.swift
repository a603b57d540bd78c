import Glibc

/// Overwrites words of the command line, which every user of the machine can read in the list of
/// processes.
public enum CommandLineShredder {
  /// Overwrites the value of an option: `--name VALUE` and `--name=VALUE`.
  public static func shred(_ option: String) {
    // What `CommandLine` has are copies: the words themselves lie in this process's memory where the
    // kernel put them.
    guard let (start, end) = argumentRange() else { return }
    var place = start
    var isValue = false
    while place < end, let word = UnsafeMutablePointer<CChar>(bitPattern: place) {
      let length = strnlen(word, Int(end - place))
      let text = String(decoding: UnsafeRawBufferPointer(start: word, count: length), as: UTF8.self)
      if isValue {
        memset(word, Int32(UInt8(ascii: "*")), length)
        isValue = false
      } else if text == option {
        isValue = true
      } else if text.hasPrefix(option + "=") {
        let kept = option.utf8.count + 1
        memset(word + kept, Int32(UInt8(ascii: "*")), length - kept)
      }
      place += UInt(length) + 1
    }
  }

  /// The fields arg_start and arg_end of /proc/self/stat (proc(5), the 48th and 49th).
  private static func argumentRange() -> (UInt, UInt)? {
    guard let file = fopen("/proc/self/stat", "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    // The second field, the name in brackets, may hold anything.
    guard let close = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: close)...].split(whereSeparator: \.isWhitespace)
    guard fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]), start < end
    else { return nil }
    return (start, end)
  }
}
