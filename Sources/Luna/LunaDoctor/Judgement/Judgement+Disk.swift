import Diagnosis

extension Judgement {
  /// With less the next event may not fit: SQLite writes whole pages, and its log besides.
  private static let least: UInt64 = 4 << 20
  /// A full queue takes 40 MB, and the devices something.
  private static let comfortable: UInt64 = 100 << 20

  /// `disk`.
  static func disk(_ facts: DiskFacts) -> Finding {
    if let problem = facts.problem {
      return Finding(.disk, .failed, "\(facts.path): \(problem)", remedy: "use \(.otherDirectory)")
    }
    if facts.isReadOnly {
      return Finding(
        .disk, .failed, "\(facts.path) is mounted read-only",
        remedy: "see dmesg for errors of the disk, mount it anew, or use \(.otherDirectory)")
    }
    if !facts.isWritable {
      // Where it is yet to be made, that is a directory of the system's.
      let remedy: Remedy =
        facts.isThere ? "see state, or use \(.otherDirectory)" : "use \(.otherDirectory)"
      return Finding(
        .disk, .failed, "this user may not write in \(facts.path)", remedy: remedy)
    }
    let room = "\(size(facts.free)) free at \(facts.path)"
    if facts.free < least || facts.freeFiles == 0 {
      return Finding(
        .disk, .failed, facts.freeFiles == 0 ? "no more files fit at \(facts.path)" : room,
        remedy: "free some space; what was stored before is still there")
    }
    return facts.free < comfortable
      ? Finding(.disk, .warning, room, remedy: "free some space: a full queue takes 40 MB")
      : Finding(.disk, .ok, room)
  }

  private static func size(_ bytes: UInt64) -> String {
    switch bytes {
    case ..<(1 << 20): "\(bytes >> 10) KiB"
    case ..<(10 << 30): "\(bytes >> 20) MiB"
    default: "\(bytes >> 30) GiB"
    }
  }
}
