import Bluetooth
import LunaCore
import LunaFleet
import Testing

@testable import LunaBackend

/// What every storage drops for good, and with what.
@Suite(.timeLimit(.minutes(10))) struct StoragePurgeTests {
  private static let now = Fleet.now

  @Test(arguments: StorageKind.available)
  func purgesAfterThirtyDays(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let gateway = try await fleet.add("kitchen")
    let token = try AccessToken(.gateway)
    try await fleet.storage.add(try token.record(name: "kitchen", at: Self.now))
    let number = try await fleet.change { work throws(FleetFailure) in
      try work.remove(gateway.id)
    }
    try await fleet.store.purge(at: Self.now.advanced(by: .seconds(29 * 86_400)))
    #expect(try await fleet.gateway(gateway.id) != nil)
    let directory = FleetDirectory(fleet.store)
    // Histories name it as long as it is there.
    #expect(try await directory.names(of: [gateway.id, "none"]) == [gateway.id: "kitchen"])
    try await fleet.store.purge(at: Self.now.advanced(by: .seconds(31 * 86_400)))
    #expect(try await fleet.gateway(gateway.id) == nil)
    let record = try await fleet.storage.tokens().first
    #expect(record?.revokedAt != nil)
    #expect(try await directory.present().entries.isEmpty)
    #expect(try await directory.names(of: [gateway.id]).isEmpty)
    #expect(try await refusal { _ = try await fleet.undo(number) } == "gone")
  }

  /// Its label may be scanned again: the new record has the same key, and of it that would not be true.
  @Test(arguments: StorageKind.available)
  func whatItToldGoesToo(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    var gateways: [Gateway] = []
    for number in 0...10 {
      let gateway = try await fleet.add("kitchen\(number)")
      gateways.append(gateway)
      try await fleet.storage.touch(gateway.key, report: nil, at: Self.now)
      try await fleet.storage.note(HealthReport(), of: gateway.key, at: Self.now)
      let sample = HealthSample(time: Self.now, health: HealthReport())
      try await fleet.storage.add([sample], of: gateway.key, at: Self.now)
    }
    func counts() async throws -> [Int64?] {
      var counts: [Int64?] = []
      for table in ["fleet", "gateways", "health", "samples"] {
        counts.append(try await fleet.count(table))
      }
      return counts
    }
    #expect(try await counts() == [11, 11, 11, 33])
    let removed = gateways.dropFirst().map(\.id)
    for id in removed {
      _ = try await fleet.change { work throws(FleetFailure) in try work.remove(id) }
    }
    #expect(try await counts() == [11, 11, 11, 33])
    let first = removed[0]
    _ = try await fleet.change { work throws(FleetFailure) in try work.purge(first) }
    #expect(try await counts() == [10, 10, 10, 30])
    // More of them than go at once.
    try await fleet.store.purge(at: Self.now.advanced(by: .seconds(31 * 86_400)))
    #expect(try await counts() == [1, 1, 1, 3])
    #expect(try await fleet.storage.health(of: gateways[0].key) != nil)
  }

  /// Otherwise it would upload again, and get a new record by that.
  @Test(arguments: StorageKind.available)
  func whatIsPurgedIsSignedInNoMore(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let gateway = try await fleet.add("kitchen")
    let issuer = OwnIssuer(storage: fleet.storage)
    let accounts = AccountStore(fleet.storage)
    let subject = ForeignSubject(issuer: "https://issuer.example", subject: "kitchen's")
    _ = try await fleet.storage.transaction { work throws(StorageError) in
      try work.change(
        """
        INSERT INTO luna.identities(id, issuer, subject, kind, holder, created, seen)
        VALUES('0000000000000001', $1, $2, 'gateway', 'kitchen', 0, 0)
        """, [.text(subject.issuer), .text(subject.subject)])
    }
    let begun = try await issuer.begin(
      .gateway(key: "kitchen"), client: "luna", from: nil, at: Self.now)
    let (device, code) = try #require(begun)
    _ = try await issuer.decide(code, as: .gateway(key: "kitchen"), at: Self.now)
    guard case .tokens(let tokens) = try await issuer.answer(device, client: "luna", at: Self.now)
    else {
      Issue.record("not signed in")
      return
    }
    #expect(try await issuer.holder(of: tokens.access, at: Self.now) == .gateway(key: "kitchen"))
    #expect(try await accounts.holder(of: subject, at: Self.now) == .gateway(key: "kitchen"))
    _ = try await fleet.change { work throws(FleetFailure) in
      _ = try work.remove(gateway.id)
      return try work.purge(gateway.id)
    }
    #expect(try await issuer.holder(of: tokens.access, at: Self.now) == nil)
    if case .tokens = try await issuer.refresh(tokens.refresh, client: "luna", at: Self.now) {
      Issue.record("refreshed")
    }
    if case .tokens = try await issuer.answer(device, client: "luna", at: Self.now) {
      Issue.record("signed in again")
    }
    #expect(try await accounts.holder(of: subject, at: Self.now) == .waiting)
  }
}
