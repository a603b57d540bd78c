import Testing

@testable import LunaCLI

/// What a service does after it has ended, when it was told to read its configuration again.
@Suite(.timeLimit(.minutes(10))) struct ServiceReloadTests {
  /// A configuration with which the service begins, or cannot.
  private func action(_ code: ExitCode) -> LunaCommand.Action { { code } }

  /// Reads the configuration that stands on this command line.
  private func reloading(_ words: String...) async -> ServiceReload {
    let reload = ServiceReload(words)
    reload.begun()
    #expect(await reload.prepare(Diagnostics(quiet: true, verbosity: 0)))
    return reload
  }

  @Test(arguments: [ExitCode.done, .lost], [true, false])
  func nothingFollowsWhereNothingWasAsked(_ code: ExitCode, _ hasBegun: Bool) {
    let reload = ServiceReload([])
    if hasBegun { reload.begun() }
    #expect(!reload.isPending)
    #expect(reload.follow(action(code), code) == nil)
  }

  @Test func theNextConfigurationFollows() async {
    let reload = await reloading("config", "show")
    #expect(reload.isPending)
    #expect(reload.follow(action(.done), .done) != nil)
    // It runs; when it ends by itself, that was all.
    reload.begun()
    #expect(!reload.isPending)
    #expect(reload.follow(action(.lost), .lost) == nil)
  }

  @Test func whatWorkedFollowsWhatCannotBegin() async throws {
    let reload = await reloading("config", "show")
    let next = try #require(reload.follow(action(.done), .done))
    #expect(reload.isPending)
    let again = try #require(reload.follow(next, .lost))
    #expect(await again() == .done)
    // Once: it cannot begin either.
    #expect(!reload.isPending)
    #expect(reload.follow(again, .lost) == nil)
  }

  @Test func whatWorkedFollowsEachTime() async throws {
    let reload = await reloading("config", "show")
    var ended = action(.interrupted)
    for _ in 1...3 {
      let next = try #require(reload.follow(ended, .done))
      ended = try #require(reload.follow(next, .lost))
      #expect(await ended() == .interrupted)
      reload.begun()
      #expect(await reload.prepare(Diagnostics(quiet: true, verbosity: 0)))
    }
  }

  @Test(arguments: [ExitCode.done, .interrupted, .terminated])
  func nothingFollowsWhatSomebodyHasEnded(_ code: ExitCode) async throws {
    let reload = await reloading("config", "show")
    let next = try #require(reload.follow(action(.done), .done))
    #expect(reload.follow(next, code) == nil)
  }

  @Test func oneThatBeginsAnewIsEndedInOrder() async {
    let reload = await reloading("config", "show")
    #expect(reload.statusAtEnd(by: 15) == 0)
    #expect(reload.statusAtEnd(by: 2) == nil)
    #expect(ServiceReload([]).statusAtEnd(by: 15) == nil)
  }
}
