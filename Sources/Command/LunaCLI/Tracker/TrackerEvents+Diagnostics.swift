import ChildProcess
import LunaOutlets

extension TrackerEvents {
  /// One that tells on standard error what does not go as it should.
  convenience init(_ command: String, for kinds: Set<String>, diagnostics: Diagnostics) {
    self.init(
      command, for: kinds,
      report: { problem in
        switch problem {
        case .noProcess: diagnostics.note("luna: --exec: cannot start a process")
        case .tooMany(let count): diagnostics.note("luna: --exec: \(count) commands run already")
        }
      }, complain: { diagnostics.note("luna: --exec: \($0)") })
  }
}
