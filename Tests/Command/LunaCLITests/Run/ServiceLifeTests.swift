import LunaTesting
import ServiceManager
import Synchronization
import Testing

@testable import LunaCLI

/// What a listening command tells the manager of services.
@Suite(.timeLimit(.minutes(10))) struct ServiceLifeTests {
  /// What was told until the silence was asked for five times.
  private func told(_ silence: Duration?) async throws -> [String] {
    let listener = try NotifyListener("@")
    let address = listener.address
    let manager = ServiceManager { ["NOTIFY_SOCKET": address, "WATCHDOG_USEC": "3000"][$0] }
    let asked = Atomic<Int>(0)
    let messages = Mutex<[String]>([])
    // A socket holds a few of them only, and a busy machine may come to the end late.
    let hear = { @Sendable in
      messages.withLock { messages in
        while let message = listener.next() { messages.append(message) }
      }
    }
    let (done, bell) = AsyncStream.makeStream(of: Void.self)
    let life = ServiceLife(Diagnostics(quiet: true, verbosity: 0), manager: manager) {
      hear()
      if asked.wrappingAdd(1, ordering: .relaxed).newValue == 5 { bell.finish() }
      return silence
    }
    life.begin("listening")
    for await _ in done {}
    life.end()
    hear()
    return messages.withLock(\.self)
  }

  @Test(arguments: [.zero, .seconds(1799), nil] as [Duration?])
  func isAliveWhileItHears(_ silence: Duration?) async throws {
    let messages = try await told(silence)
    #expect(messages.first == "READY=1\nSTATUS=listening")
    #expect(messages.count { $0 == "WATCHDOG=1" } >= 4)
    #expect(messages.contains("STOPPING=1"))
  }

  @Test func isNotAliveInASilenceThatNobodyExplains() async throws {
    #expect(try await told(.seconds(1800)) == ["READY=1\nSTATUS=listening", "STOPPING=1"])
  }

  @Test func aSignPutsTheSilenceToAnEnd() {
    let life = LifeSigns()
    let before = ContinuousClock.now
    life.sign()
    #expect(life.silence <= before.duration(to: .now))
  }
}
