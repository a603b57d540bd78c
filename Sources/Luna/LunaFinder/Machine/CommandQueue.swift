import Bluetooth
import LunaCore
import LunaProtocol

/// The commands that are to be carried out, one by one.
struct CommandQueue: Sendable {
  /// How long a backend keeps an offer to one gateway; after that it makes it again, to any.
  static let lease: Duration = .seconds(150)
  /// How many wait; a backend that offers more will do so again.
  static let limit = 256

  struct Entry: Hashable, Sendable {
    let request: CommandRequest
    let receivedAt: Duration
  }

  struct Running: Hashable, Sendable {
    let requestID: String
    let package: ControlPackage
  }

  /// How long an offer of a command that was carried out is passed over: an answer to an upload may
  /// have been on its way when it ended.
  static let memory: Duration = .seconds(3600)
  /// The same for one whose tracker was not reached, which may be offered anew.
  static let shortMemory: Duration = .seconds(35)

  var waiting: [Entry] = []
  var running: Running?

  /// Until when offers are passed over.
  private var ended: [String: Duration] = [:]

  var isIdle: Bool { waiting.isEmpty && running == nil }

  /// What was running has come to an end.
  mutating func end(_ running: Running, isDone: Bool, at elapsed: Duration) {
    self.running = nil
    ended = ended.filter { $0.value > elapsed }
    ended[running.requestID] =
      elapsed + (isDone ? CommandQueue.memory : CommandQueue.shortMemory)
  }

  /// Takes what came back with an upload.
  mutating func take(
    _ requests: [CommandRequest], at moment: FinderMoment, _ actions: inout [FinderAction]
  ) {
    for request in requests where running?.requestID != request.requestID {
      if let end = ended[request.requestID], end > moment.elapsed { continue }
      if let index = waiting.firstIndex(where: { $0.request.requestID == request.requestID }) {
        waiting[index] = Entry(request: request, receivedAt: moment.elapsed)
      } else if waiting.count < CommandQueue.limit {
        waiting.append(Entry(request: request, receivedAt: moment.elapsed))
      }
    }
  }

  /// Leaves those out that are not ours any more: expired, or offered to others by now.
  mutating func prune(at moment: FinderMoment) {
    waiting.removeAll {
      $0.request.expiresAt <= moment.now || moment.elapsed - $0.receivedAt >= CommandQueue.lease
    }
  }
}
