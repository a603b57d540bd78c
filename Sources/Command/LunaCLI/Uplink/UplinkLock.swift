import LunaStore

/// One check at a time: two would measure each other.
enum UplinkLock {
  /// Keeps others out for as long as what is returned lives.
  static func take(in state: StateDirectory) async throws -> WaitingLock {
    try StateDirectoryMaker.make(state.path)
    let lock = try await WaitingLock.take(
      state.path + "/luna-uplink.lock", within: .zero, sleep: { _ in })
    if let lock { return lock }
    throw CommandFailure(
      .busy, "another check runs", hint: "wait for its end, or use another directory with --state")
  }
}

extension UplinkKeeper {
  /// Goes on when somebody has agreed to it, and keeps others out for as long as what is returned lives.
  func begin() async throws -> WaitingLock {
    try await UplinkConsent(in: state.path).require(printer.notes)
    return try await UplinkLock.take(in: state)
  }
}
