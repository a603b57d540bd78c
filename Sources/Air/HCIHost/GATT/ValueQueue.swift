package import Bluetooth
import Diagnosis
package import EventLoop

/// The values that a peer has sent of one characteristic, and those who wait for the next. For the
/// reactor's thread only.
package final class ValueQueue {
  package typealias Waiting = CheckedContinuation<Result<[UInt8], GATTError>, Never>

  /// The values that are kept for somebody who is late; the oldest goes first.
  static let capacity = 64

  private final class Waiter {
    let ticket: UInt64
    let continuation: Waiting
    var timer: ReactorTimer?

    init(_ ticket: UInt64, _ continuation: Waiting) {
      self.ticket = ticket
      self.continuation = continuation
    }
  }

  private let reactor: Reactor
  private var values: [[UInt8]] = []
  private var waiters: [Waiter] = []
  private var lastTicket: UInt64 = 0
  private var end: GATTError?
  /// What came while the characteristic was being read, the last ones of it; nil when it is not.
  private var held: [[UInt8]]?

  package init(on reactor: Reactor) { self.reactor = reactor }

  /// Takes a value that came.
  package func push(_ value: [UInt8]) {
    if var held {
      self.held = nil
      // One more than can be kept: one of them tells the read.
      if held.count > ValueQueue.capacity { held.removeFirst() }
      held.append(value)
      self.held = held
      return
    }
    if !waiters.isEmpty {
      return resume(waiters.removeFirst(), .success(value))
    }
    if values.count == ValueQueue.capacity { values.removeFirst() }
    values.append(value)
  }

  /// From now on values are held back: a read is under way, and bluetoothd tells what was read in
  /// the same way as what was sent.
  package func hold() { held = held ?? [] }

  /// The read has ended with `value`, or without. The last signal that told this value told the
  /// read.
  package func release(read value: [UInt8]?) {
    guard var held else { return }
    self.held = nil
    if let value, let place = held.lastIndex(of: value) { held.remove(at: place) }
    for value in held { push(value) }
  }

  /// A number for who is going to wait.
  package func makeTicket() -> UInt64 {
    lastTicket &+= 1
    return lastTicket
  }

  /// Who waits with this ticket does no more; the value is for who asks next.
  package func giveUp(_ ticket: UInt64) {
    guard let place = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
    resume(
      waiters.remove(at: place),
      .failure(
        GATTError(.abortedLocally, during: "indication", "nobody waits for a value any more")))
  }

  /// Resumes `continuation` with the next value, or when the time is over.
  package func next(within limit: Duration, _ ticket: UInt64, _ continuation: Waiting) {
    if !values.isEmpty { return continuation.resume(returning: .success(values.removeFirst())) }
    if let end { return continuation.resume(returning: .failure(end)) }
    let waiter = Waiter(ticket, continuation)
    waiters.append(waiter)
    waiter.timer = reactor.schedule(after: limit) { [weak self, weak waiter] in
      guard let self, let waiter else { return }
      waiters.removeAll { $0 === waiter }
      resume(
        waiter,
        .failure(GATTError(.timedOut, during: "indication", "the peer sent no value in time")))
    }
  }

  /// The connection has ended: what is there can still be taken.
  package func finish(_ error: GATTError) {
    release(read: nil)
    guard end == nil else { return }
    end = GATTError(error.kind, during: "indication", error.reason)
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { resume(waiter, .failure(end ?? error)) }
  }

  private func resume(_ waiter: Waiter, _ result: Result<[UInt8], GATTError>) {
    waiter.timer?.cancel()
    waiter.continuation.resume(returning: result)
  }
}
