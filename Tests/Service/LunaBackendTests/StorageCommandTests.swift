import Bluetooth
import LunaCore
import LunaProtocol
import SafeText
import Testing

@testable import LunaBackend

/// What every storage does with commands.
@Suite(.timeLimit(.minutes(10))) struct StorageCommandTests {
  private func confirmation(
    _ command: NewCommand, _ outcome: CommandConfirmation.Outcome, receipt: UInt8 = 1,
    package: Int = 1
  ) -> CommandConfirmation {
    CommandConfirmation(
      requestID: command.id.description, heid: Samples.heid(package), outcome: outcome,
      receipt: outcome == .done ? [UInt8](repeating: receipt, count: 17) : nil, detail: "said")
  }

  @Test(arguments: StorageKind.available)
  func givesOnlyPackagesThatWereAskedFor(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let command = try Samples.command((0..<5).map { Samples.package($0) })
    try await storage.submit(command, openLimit: 10)
    let open = try await storage.openCommands(
      matching: [Samples.heid(3), Samples.heid(1), Samples.heid(77)], for: "g", at: Samples.now)
    #expect(open.map(\.id) == [command.id])
    #expect(Set(open[0].packages) == [Samples.package(1), Samples.package(3)])
    #expect(open[0].expiresAt == command.expiresAt)
    for (heid, time) in [(77, Samples.now), (3, Samples.later(3600))] {
      let none = try await storage.openCommands(matching: [Samples.heid(heid)], for: "g", at: time)
      #expect(none.isEmpty)
    }
  }

  @Test(arguments: StorageKind.available)
  func leasesToOneOfEight(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let command = try Samples.command([Samples.package(1)])
    try await storage.submit(command, openLimit: 10)
    let winners = try await withThrowingTaskGroup(of: String?.self) { group in
      for number in 0..<8 {
        group.addTask {
          let granted = try await storage.lease(
            [command.id], to: "g\(number)", at: Samples.now, until: Samples.later(150))
          return granted.isEmpty ? nil : "g\(number)"
        }
      }
      return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    #expect(winners.count == 1)
    let winner = try #require(winners.first)
    let heids = [Samples.heid(1)]
    // A lost reply loses no command: who has it gets it again. Others do when the lease is over.
    let again = try await storage.openCommands(matching: heids, for: winner, at: Samples.later(1))
    #expect(again.count == 1)
    let others = try await storage.openCommands(matching: heids, for: "x", at: Samples.later(149))
    #expect(others.isEmpty)
    let lapsed = try await storage.openCommands(matching: heids, for: "x", at: Samples.later(150))
    #expect(lapsed.count == 1)
    let granted = try await storage.lease(
      [command.id], to: "x", at: Samples.later(150), until: Samples.later(300))
    #expect(granted == [command.id])
  }

  @Test(arguments: StorageKind.available)
  func takesConfirmationsFromWhoWasOfferedIt(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let command = try Samples.command([Samples.package(1)])
    try await storage.submit(command, openLimit: 10)
    func confirm(
      _ confirmation: CommandConfirmation, by gateway: String
    ) async throws -> ConfirmationResult {
      try await storage.confirm(confirmation, id: command.id, by: gateway, at: Samples.now)
    }
    func state() async throws -> CommandStatus.State? {
      try await storage.command(command.id, of: "me", at: Samples.now)?.state
    }
    #expect(try await confirm(confirmation(command, .done), by: "a") == .neverOffered)
    #expect(try await state() == .queued)
    _ = try await storage.lease(
      [command.id], to: "a", at: Samples.now, until: Samples.later(150))
    #expect(try await state() == .offered)
    #expect(try await confirm(confirmation(command, .done, package: 2), by: "a") == .unknown)
    #expect(try await confirm(confirmation(command, .done), by: "b") == .neverOffered)
    // Not reached: free for others at once.
    #expect(try await confirm(confirmation(command, .notReached), by: "a") == .noted)
    #expect(try await state() == .queued)
    _ = try await storage.lease(
      [command.id], to: "b", at: Samples.now, until: Samples.later(150))
    #expect(try await confirm(confirmation(command, .failed), by: "b") == .noted)
    #expect(try await state() == .failed)
    let none = try await storage.openCommands(
      matching: [Samples.heid(1)], for: "c", at: Samples.later(1000))
    #expect(none.isEmpty)
    // The first gateway was offered it once: its receipt counts, and the first one stays.
    for receipt in [5, 5, 6] as [UInt8] {
      #expect(try await confirm(confirmation(command, .done, receipt: receipt), by: "a") == .noted)
    }
    let status = try await storage.command(command.id, of: "me", at: Samples.later(99_999))
    #expect(status?.state == .confirmed)
    #expect(status?.receipt == [UInt8](repeating: 5, count: 17))
    #expect(status?.heid == Samples.heid(1))
    #expect(status?.detail == "said")
    let strange = try await storage.confirm(
      confirmation(command, .done), id: try RequestID(), by: "a", at: Samples.now)
    #expect(strange == .unknown)
  }

  /// What a gateway says of it is any text, also one that not every database can keep as it is.
  @Test(arguments: StorageKind.available)
  func keepsWhateverIsSaidOfIt(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let command = try Samples.command([Samples.package(1)])
    try await storage.submit(command, openLimit: 10)
    _ = try await storage.lease(
      [command.id], to: "g", at: Samples.now, until: Samples.later(150))
    let confirmation = CommandConfirmation(
      requestID: command.id.description, heid: Samples.heid(1), outcome: .failed, receipt: nil,
      detail: "a\u{0}b")
    let result = try await storage.confirm(
      confirmation, id: command.id, by: "g", at: Samples.now)
    #expect(result == .noted)
    let status = try await storage.command(command.id, of: "me", at: Samples.now)
    #expect(status?.state == .failed && status?.detail?.raw.hasPrefix("a") == true)
  }

  @Test(arguments: StorageKind.available)
  func showsCommandsToTheirOwnersAlone(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let command = try Samples.command([Samples.package(1)])
    try await storage.submit(command, openLimit: 10)
    #expect(try await storage.command(command.id, of: "you", at: Samples.now) == nil)
    #expect(try await storage.cancel(command.id, of: "you", at: Samples.now) == nil)
    #expect(
      try await storage.commands(of: "you", since: Samples.now, at: Samples.now, limit: 9).isEmpty)
    #expect(
      try await storage.command(command.id, of: "me", at: Samples.later(3600))?.state == .expired)
  }

  @Test(arguments: StorageKind.available)
  func callsACommandOff(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let command = try Samples.command([Samples.package(1), Samples.package(2)])
    try await storage.submit(command, openLimit: 1)
    _ = try await storage.lease([command.id], to: "g", at: Samples.now, until: Samples.later(150))
    let status = try #require(try await storage.cancel(command.id, of: "me", at: Samples.later(10)))
    #expect(status.state == .cancelled && status.cancelledAt == Samples.later(10))
    #expect(status.offeredUntil == Samples.later(150), "it may still ring")
    #expect(status.firstHeid == Samples.heid(1))
    // Offered to nobody again, also not to who has it.
    for gateway in ["g", "h"] {
      let open = try await storage.openCommands(
        matching: [Samples.heid(1)], for: gateway, at: Samples.later(20))
      #expect(open.isEmpty)
      let leased = try await storage.lease(
        [command.id], to: gateway, at: Samples.later(20), until: Samples.later(170))
      #expect(leased.isEmpty)
    }
    // It makes room for another, and the second time nothing changes.
    try await storage.submit(try Samples.command([Samples.package(3)]), openLimit: 1)
    let again = try await storage.cancel(command.id, of: "me", at: Samples.later(30))
    #expect(again?.cancelledAt == Samples.later(10))
    // What fails later is called off all the same; who delivered it after all says so.
    for (outcome, state) in [
      (CommandConfirmation.Outcome.failed, CommandStatus.State.cancelled), (.done, .confirmed),
    ] {
      let result = try await storage.confirm(
        confirmation(command, outcome), id: command.id, by: "g", at: Samples.later(40))
      #expect(result == .noted)
      let late = try await storage.command(command.id, of: "me", at: Samples.later(50))
      #expect(late?.state == state && late?.cancelledAt == Samples.later(10))
    }
  }

  @Test(arguments: StorageKind.available)
  func whatIsOverIsNotCalledOff(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let (done, late) = (
      try Samples.command([Samples.package(1)]), try Samples.command([Samples.package(2)])
    )
    for command in [done, late] { try await storage.submit(command, openLimit: 10) }
    _ = try await storage.lease([done.id], to: "g", at: Samples.now, until: Samples.later(150))
    _ = try await storage.confirm(
      confirmation(done, .failed), id: done.id, by: "g", at: Samples.later(1))
    for (command, state, time) in [
      (done, CommandStatus.State.failed, 2 as Int64), (late, .expired, 3600),
    ] {
      let status = try await storage.cancel(command.id, of: "me", at: Samples.later(time))
      #expect(status?.state == state && status?.cancelledAt == nil)
    }
  }

  @Test(arguments: StorageKind.available)
  func listsOpenCommandsFirst(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    var ids: [String] = []
    for (number, lifetime) in [(0, 9000), (1, 3600), (2, 60), (3, 60)] {
      let command = NewCommand(
        id: try RequestID(), owner: "me", createdAt: Samples.later(Int64(number) * 100),
        expiresAt: Samples.later(Int64(number * 100 + lifetime)),
        packages: [Samples.package(number)])
      try await storage.submit(command, openLimit: 10)
      ids.append(command.id.description)
    }
    func listed(since start: Int64, limit: Int = 10) async throws -> [Int?] {
      try await storage.commands(
        of: "me", since: Samples.later(start), at: Samples.later(1000), limit: limit
      ).map { ids.firstIndex(of: $0.requestID) }
    }
    #expect(try await listed(since: 0) == [1, 0, 3, 2])
    #expect(try await listed(since: 250) == [1, 0, 3], "open ones however old they are")
    #expect(try await listed(since: 0, limit: 3) == [1, 0, 3])
  }

  @Test(arguments: StorageKind.available)
  func limitsOpenCommands(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    for _ in 0..<3 {
      try await storage.submit(try Samples.command([Samples.package(1)]), openLimit: 3)
    }
    let fourth = try Samples.command([Samples.package(1)])
    await #expect {
      try await storage.submit(fourth, openLimit: 3)
    } throws: { ($0 as? StorageError)?.kind == .limit }
    try await storage.submit(try Samples.command([Samples.package(1)], owner: "you"), openLimit: 3)
  }
}
