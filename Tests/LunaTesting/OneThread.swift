import Dispatch
import Foundation

/// A program all of whose tasks share one thread, as on a machine with one processor: for the body
/// of an exit test.
public enum OneThread {
  /// Makes a call that lasts until another task has run; while it blocks the thread of the tasks,
  /// none does, and the program ends by SIGALRM.
  ///
  /// - Parameters:
  ///   - limit: until then, s.
  ///   - release: what the other task does, soon after the call has begun.
  public static func check(
    within limit: UInt32 = 300, _ call: @escaping @Sendable () async throws -> Void,
    until release: @escaping @Sendable () throws -> Void
  ) async throws {
    alarm(limit)
    await occupyOtherThreads()
    let called = Task.detached { try await call() }
    let released = Task.detached {
      // The call waits once nothing goes on any more, however long that takes here; where something never rests, it
      // has had ten seconds.
      for _ in 0..<200 {
        try await Task.sleep(for: .milliseconds(50))
        if isQuiet { break }
      }
      try release()
    }
    try await called.value
    try await released.value
    alarm(0)
  }

  /// There is a thread for each processor, and two on a machine with one: the second comes when the
  /// first has been busy for a second. All but one are taken.
  private static func occupyOtherThreads() async {
    let count = max(2, ProcessInfo.processInfo.activeProcessorCount) - 1
    let (begun, continuation) = AsyncStream<Void>.makeStream()
    for _ in 0..<count {
      Task.detached {
        continuation.yield()
        waitForEver()
      }
    }
    var waiting = count
    for await _ in begun {
      waiting -= 1
      if waiting == 0 { break }
    }
  }

  private static func waitForEver() { while true { pause() } }

  /// Whether all threads but the one that asks wait for something.
  private static var isQuiet: Bool {
    let folder = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let states = threads.compactMap { thread -> Character? in
      guard let text = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return nil }
      return text[end...].dropFirst(2).first
    }
    return states.count { $0 != "S" } <= 1
  }
}
