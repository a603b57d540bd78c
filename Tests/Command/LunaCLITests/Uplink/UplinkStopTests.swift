import LunaTesting
import LunaUplink
import Testing
import UplinkProtocol

@testable import LunaCLI

/// What ends a check early.
struct UplinkStopTests {
  private let folder = TestFolder()

  /// Does something that goes on until it is ended, a step whenever the one before was shown.
  private func run(_ stop: UplinkStop, show: (Int) throws -> Void) async throws {
    let (steps, next) = AsyncStream.makeStream(of: Int.self)
    next.yield(1)
    try await stop.run(telling: Int.self) { tell in
      for await number in steps { tell(number) }
    } show: {
      try show($0)
      next.yield($0 + 1)
    }
  }

  /// Nothing is sent from then on, as the text says that somebody agrees to.
  @Test(.timeLimit(.minutes(10))) func endsWhenTheConsentIsTakenBack() async throws {
    let consent = try UplinkConsent(in: folder.path)
    _ = try await consent.give(.flag)
    let stop = UplinkStop(in: folder.path)
    let (shown, continuation) = AsyncStream.makeStream(of: Int.self)
    let withdrawal = Task {
      for await _ in shown.prefix(3) {}
      try await consent.withdraw()
    }
    let failure = await #expect(throws: CommandFailure.self) {
      try await run(stop) { continuation.yield($0) }
    }
    #expect(failure?.code == .noPermission && !stop.isGiven)
    try await withdrawal.value
    var count = 0
    await #expect(throws: CommandFailure.self) { try await run(stop) { _ in count += 1 } }
    #expect(count == 0)
  }
}
