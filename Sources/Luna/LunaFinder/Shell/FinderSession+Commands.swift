import Bluetooth
import LunaCore
import LunaProtocol

/// Commands, and what became of them.
extension FinderSession {
  /// Who carries out commands counts in protocol time, as for trackers that are followed.
  var protocolTime: Timestamp { parts.time(moment.now) }

  func deliver(_ requestID: String, _ package: ControlPackage, _ heard: HeardFrame) {
    var state = LocalDevice.State(kind: .luna)
    state.heid = package.heid.description
    state.take(heard, at: protocolTime)
    let device = LocalDevice(state)
    target = device
    tell(.commandStarted(requestID: requestID, heid: package.heid))
    command = Task { [weak self] in
      let runner = await self?.runner()
      let outcome = await runner?.run(package, on: device)
      await self?.delivered(
        requestID, package,
        outcome ?? CommandOutcome(.notReached, detail: "this gateway's radio cannot connect"))
    }
  }

  /// Who delivers, once the radio is on.
  private func runner() async -> (any CommandRunner)? {
    let end = parts.clock.elapsed() + FinderSession.patience
    while radio == nil, parts.clock.elapsed() < end, !Task.isCancelled {
      await radioBell.wait(for: end - parts.clock.elapsed(), by: parts.clock)
    }
    return radio?.runner
  }

  private func delivered(
    _ requestID: String, _ package: ControlPackage, _ outcome: CommandOutcome
  ) async {
    target = nil
    tell(.commandEnded(requestID: requestID, heid: package.heid, outcome))
    await dispatch(.commandEnded(outcome))
  }

  func keep(_ confirmation: CommandConfirmation) async {
    do throws(DeviceStoreError) {
      try await queue.append(confirmation, at: moment.now)
    } catch {
      tell(.problem(error))
      unkept.append(confirmation)
    }
    await dispatch(.confirmationQueued)
  }
}
