import Testing

@testable import LunaOwner

/// Commands that are followed, and followed anew.
@Suite(.timeLimit(.minutes(10)))
struct CommandFollowerTests {
  /// A command that was stopped ends some time later: by then it may be followed anew, and can be stopped again.
  @Test func whatIsFollowedAnewCanBeStoppedAgain() async {
    let follower = CommandFollower()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let (stops, stop) = AsyncStream.makeStream(of: Bool.self)
    let (ended, hasEnded) = AsyncStream.makeStream(of: Void.self)
    follower.start("a") {
      // Not ended by the cancellation alone.
      await Task { for await _ in ends {} }.value
      hasEnded.finish()
    }
    follower.stop()
    let isBegun = AsyncStream.makeStream(of: Void.self)
    follower.start("a") {
      isBegun.continuation.finish()
      let (never, keep) = AsyncStream.makeStream(of: Void.self)
      for await _ in never {}
      keep.finish()
      stop.yield(Task.isCancelled)
    }
    for await _ in isBegun.stream {}
    end.finish()
    for await _ in ended {}
    for _ in 0..<100 { await Task.yield() }
    // A third one is none, as it is followed already.
    follower.start("a") { stop.yield(false) }
    follower.stop()
    for await isStopped in stops {
      #expect(isStopped)
      break
    }
  }
}
