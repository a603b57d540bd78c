import Foundation
import Glibc
import LunaCore
import LunaStore
import LunaTesting

/// A process that queues and uploads until it is killed, and writes down what it has done: `a N` for
/// an event that the queue has acknowledged, `u N` for one that the backend has.
struct QueueWorker {
  let path: String
  let log: String
  let round: Int
  /// After so many steps its end begins; 0: before it has a queue.
  let steps: Int
  /// Then it lives for so long, µs: to any moment of what it does then.
  let delay: UInt32

  func workUntilKilled() async throws {
    let file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    func beginToEnd() {
      let delay = delay
      Thread.detachNewThread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
    }
    if steps == 0 { beginToEnd() }
    func note(_ mark: String, _ numbers: [UInt64]) {
      let text = numbers.map { "\(mark) \($0)\n" }.joined()
      _ = text.withCString { write(file, $0, strlen($0)) }
    }
    let queue = try SQLiteEventQueue(
      in: StateDirectory(path: path), fileName: "queue.data", limit: 1_000_000)
    var number = UInt64(round) * 1_000_000
    for step in 1... {
      if step == steps { beginToEnd() }
      let events = (0..<3).map { Samples.event(number + $0) }
      number += 3
      try await queue.append(events, at: Samples.now)
      note("a", events.map(Samples.number))
      guard number % 2 == 0 else { continue }
      let batch = try await queue.next(4)
      note("u", batch.map { Samples.number($0.event) })
      try await queue.settle(UploadSettlement(stored: batch.map(\.id)))
    }
  }

  static func read(_ log: String) throws -> (acknowledged: Set<UInt64>, uploaded: Set<UInt64>) {
    guard let text = try? String(contentsOfFile: log, encoding: .utf8) else { return ([], []) }
    var (acknowledged, uploaded): (Set<UInt64>, Set<UInt64>) = ([], [])
    for line in text.split(separator: "\n") {
      guard let number = UInt64(line.dropFirst(2)) else { continue }
      if line.hasPrefix("a") { acknowledged.insert(number) } else { uploaded.insert(number) }
    }
    return (acknowledged, uploaded)
  }
}
