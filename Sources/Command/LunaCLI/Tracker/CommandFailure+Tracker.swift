import LunaTracker

extension CommandFailure {
  init(_ error: TrackerError) {
    self.init(ExitCode(error), error)
  }
}
