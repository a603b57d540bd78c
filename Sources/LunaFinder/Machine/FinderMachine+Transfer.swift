import LunaCore

extension FinderMachine {
  private func next(at moment: FinderMoment) -> TransferState.Flight? {
    // The backend would refuse the days of a clock that is wrong.
    guard uploads, isClockPlausible == true else { return nil }
    return transfer.next(
      patience: .seconds(configuration.timeBetweenPostsToServerInSeconds), at: moment.elapsed)
  }

  /// Whether it is worth waiting for a transfer before the end.
  func canTransfer(at moment: FinderMoment) -> Bool {
    !transfer.hasFailed && next(at: moment) != nil
  }

  mutating func startTransfer(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    // At the end, one failure is enough.
    if stopDeadline != nil, transfer.hasFailed { return }
    guard let flight = next(at: moment) else { return }
    transfer.begin(flight)
    switch flight {
    case .upload: actions.append(.upload(limit: transfer.batch))
    case .confirmation: actions.append(.confirm)
    }
  }

  mutating func transferFailed(
    _ error: BackendError, at moment: FinderMoment, _ actions: inout [FinderAction],
    using generator: inout some RandomNumberGenerator
  ) {
    if error.status == 413, transfer.flight == .upload {
      if !transfer.halve() { actions.append(.setAsideFirst(code: "tooLarge")) }
      return
    }
    let pause = transfer.failed(error, at: moment.elapsed, using: &generator)
    actions.append(.retry(error, pause))
  }
}
