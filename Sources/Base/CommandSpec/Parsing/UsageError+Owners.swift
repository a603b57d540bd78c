extension UsageError {
  /// More commands than this are no help.
  private static let mostOwners = 3

  /// The same, with the commands that have the option which this one has not, where they are few.
  ///
  /// - Parameter root: all commands; only asked for where it is needed.
  package func naming(commandsIn root: @autoclosure () -> CommandDescription) -> UsageError {
    guard let option else { return self }
    let owners = root().pages().filter { page in
      page.command.options.contains { !$0.isHidden && $0.names.contains(option) }
    }
    guard (1...UsageError.mostOwners).contains(owners.count) else { return self }
    var error = self
    let lines = listing(owners.map { "'\($0.line)'" }, "and")
    error.hint = "\(lines) \(owners.count == 1 ? "has" : "have") it"
    return error
  }
}
