package import Bluetooth
import Diagnosis
package import EventLoop

/// A connection on a reactor that keeps what the peer sends of the characteristics that it subscribed to.
package protocol ValueReceiver: ReactorActor {
  /// Why nothing more can be done.
  var end: GATTError? { get }

  /// What came of a characteristic; nil where it is not subscribed to.
  func valueQueue(of characteristic: GATTCharacteristic) -> ValueQueue?
}

extension ValueReceiver {
  package func nextValue(
    of characteristic: GATTCharacteristic, within limit: Duration
  ) async throws(GATTError) -> [UInt8] {
    guard let queue = valueQueue(of: characteristic) else {
      if let end { throw GATTError(end.kind, during: "indication", end.reason) }
      throw GATTError(
        .notFound, during: "indication",
        "the characteristic \(characteristic.uuid) is not subscribed to")
    }
    let ticket = queue.makeTicket()
    let result = await withTaskCancellationHandler {
      await wait(for: queue, within: limit, ticket)
    } onCancel: {
      Task { await giveUp(ticket, characteristic) }
    }
    return try result.get()
  }

  private func wait(
    for queue: ValueQueue, within limit: Duration, _ ticket: UInt64
  ) async -> Result<[UInt8], GATTError> {
    await withCheckedContinuation { continuation in
      queue.next(within: limit, ticket, continuation)
      // Where it was cancelled before, who gives up may have been here already.
      if Task.isCancelled { queue.giveUp(ticket) }
    }
  }

  private func giveUp(_ ticket: UInt64, _ characteristic: GATTCharacteristic) {
    valueQueue(of: characteristic)?.giveUp(ticket)
  }
}
