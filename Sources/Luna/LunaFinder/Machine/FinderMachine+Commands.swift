import LunaCore
import LunaProtocol

extension FinderMachine {
  /// Starts the next command whose tracker is here, unless one is being carried out.
  mutating func startCommand(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    commands.prune(at: moment)
    guard commands.running == nil, stopDeadline == nil, duty == .full else { return }
    for (index, entry) in commands.waiting.enumerated() {
      guard let (package, heard) = match(entry.request, at: moment) else { continue }
      commands.waiting.remove(at: index)
      commands.running = CommandQueue.Running(
        requestID: entry.request.requestID, package: package)
      actions.append(.run(requestID: entry.request.requestID, package, heard))
      return
    }
  }

  /// The package of a request that is for a tracker which was heard a moment ago.
  private func match(
    _ request: CommandRequest, at moment: FinderMoment
  ) -> (ControlPackage, HeardFrame)? {
    for package in request.packages {
      guard let identity = identities[package.heid], let presence = presences[identity],
        moment.elapsed - presence.lastHeard < FinderMachine.silence
      else { continue }
      return (package, presence.last)
    }
    return nil
  }

  mutating func endCommand(
    _ outcome: CommandOutcome, at moment: FinderMoment, _ actions: inout [FinderAction]
  ) {
    guard let running = commands.running else { return }
    commands.end(running, isDone: outcome.kind != .notReached, at: moment.elapsed)
    transfer.keeping += 1
    actions.append(
      .keep(
        CommandConfirmation(requestID: running.requestID, heid: running.package.heid, outcome)))
  }
}
