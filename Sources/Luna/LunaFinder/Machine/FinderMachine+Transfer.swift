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
    case .upload:
      actions.append(
        .upload(
          limit: transfer.batch, without: transfer.refusals.all,
          alone: transfer.refusals.due(at: moment.elapsed)))
    case .confirmation: actions.append(.confirm)
    }
  }

  /// What a refusal for the sake of what was sent looks like; a proxy that has lost its mind can send
  /// them as well.
  private static let contentStatuses: Set<Int> = [400, 413, 422]

  mutating func uploadFailed(
    _ error: BackendError, of events: [Int64], at moment: FinderMoment,
    _ actions: inout [FinderAction], using generator: inout some RandomNumberGenerator
  ) {
    if let status = error.status, FinderMachine.contentStatuses.contains(status) {
      if events.count == 1 {
        if transfer.refusals.refuse(events[0], at: moment.elapsed) {
          actions.append(.setAside(events[0], code: status == 413 ? "tooLarge" : "refused"))
        }
      } else {
        transfer.halve()
      }
    }
    transferFailed(error, at: moment, &actions, using: &generator)
  }

  mutating func transferFailed(
    _ error: BackendError, at moment: FinderMoment, _ actions: inout [FinderAction],
    using generator: inout some RandomNumberGenerator
  ) {
    let pause = transfer.failed(error, at: moment.elapsed, using: &generator)
    actions.append(.retry(error, pause))
  }
}
