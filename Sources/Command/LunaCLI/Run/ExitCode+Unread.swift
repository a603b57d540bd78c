import ServiceManager

extension ExitCode {
  /// What a command ends with when nobody reads its output any more. A person, or the next program of a
  /// pipe, has seen enough. A service is to be started anew, with a journal that is there: systemd does
  /// not do that with one that ends well.
  static func unread(_ diagnostics: Diagnostics) -> ExitCode {
    guard ServiceManager.current.isThere || JournalStream.output.isJournal else { return .done }
    diagnostics.error(
      CommandFailure(.lost, "nobody reads the output of this service any more"))
    return .lost
  }
}
