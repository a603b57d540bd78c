package import Bluetooth

/// The commands to a controller, one after the other: the next one is sent when the answer to the
/// last has come and the controller takes another (Core Specification, Vol 4, Part E, 4.4).
package struct HCICommandQueue: Sendable {
  /// So many commands may wait; more means that the controller does not answer, or that something
  /// makes commands in a circle.
  static let capacity = 64

  private struct Entry {
    let number: Int
    let command: HCICommand
  }

  private var waiting: [Entry] = []
  private var awaited: Entry?
  /// How many commands the controller takes now.
  private var allowed = 1

  package init() {}

  /// Whether an answer, or leave to send, is waited for.
  package var isBusy: Bool { awaited != nil || !waiting.isEmpty }

  /// Queues a command.
  ///
  /// - Parameter number: names it in ``receive(_:)`` and ``timedOut()``.
  /// - Returns: false when too many wait.
  package mutating func add(_ command: HCICommand, as number: Int) -> Bool {
    guard waiting.count < HCICommandQueue.capacity else { return false }
    waiting.append(Entry(number: number, command: command))
    return true
  }

  /// The command to send now; nil when it is not time for one.
  package mutating func next() -> HCICommand? {
    guard awaited == nil, allowed > 0, !waiting.isEmpty else { return nil }
    allowed -= 1
    let entry = waiting.removeFirst()
    awaited = entry
    return entry.command
  }

  /// Takes an answer.
  ///
  /// - Returns: the number of the command that it answers; nil when it answers none, or not yet.
  package mutating func receive(_ reply: HCICommandReply) -> Int? {
    allowed = Int(reply.commandsAllowed)
    guard let entry = awaited, reply.opcode == entry.command.opcode, reply.opcode != HCIOpcode.none,
      reply.isComplete || HCIOpcode.isAnsweredByStatus(reply.opcode)
    else { return nil }
    awaited = nil
    return entry.number
  }

  /// The answer, or the leave to send, did not come in time. The next command is sent in any case.
  ///
  /// - Returns: the number of the command.
  package mutating func timedOut() -> Int? {
    allowed = 1
    if let entry = awaited {
      awaited = nil
      return entry.number
    }
    return waiting.isEmpty ? nil : waiting.removeFirst().number
  }
}
