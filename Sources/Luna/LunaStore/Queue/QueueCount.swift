/// How many events wait in a queue, as it is noted beside its file: then it is known how many are missing when
/// that cannot be read any more.
///
/// A note is in the memory of the kernel at first. So it counts after a process that was killed, and after one
/// that has put it on the disk at its end, but not after a power cut: nobody knows how old it is then.
struct QueueCount: Hashable {
  /// At least so many.
  let waiting: Int
  /// In which start of the machine that was; nil when it is on the disk.
  let boot: String?

  init(waiting: Int, boot: String?) {
    self.waiting = waiting
    self.boot = boot
  }

  private static let end = "closed"
  /// Every note is as long, and takes the place of the one before it in one write.
  private static let length = 64

  /// What a note says; nil when it is none.
  init?(_ text: String) {
    let words = text.split { $0 == " " || $0 == "\n" }
    guard text.utf8.count == QueueCount.length, words.count == 3, words[0] == "waiting",
      let waiting = Int(words[1]), waiting >= 0
    else { return nil }
    self.init(waiting: waiting, boot: words[2] == QueueCount.end ? nil : String(words[2]))
  }

  /// A note.
  var text: String {
    let words = "waiting \(waiting) \(boot ?? QueueCount.end)"
    return words + String(repeating: " ", count: max(0, QueueCount.length - 1 - words.utf8.count))
      + "\n"
  }

  /// Whether it can be believed in a start of the machine.
  func counts(in boot: String) -> Bool {
    self.boot == nil || self.boot == boot && boot != BootID.unknown
  }
}
