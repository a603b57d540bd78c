import Bluetooth
import LunaCore
import LunaCrypto
import LunaFleet
import LunaJSON
import SQLite
import Testing

@testable import LunaBackend

/// What every storage does with the fleet.
@Suite(.timeLimit(.minutes(10))) struct StorageFleetTests {
  private static let now = Fleet.now

  @Test(arguments: StorageKind.available)
  func keepsRecords(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let made = try await fleet.add(
      "Küche", ["tags": ["b", "a"], "place": ["latitude": 52, "longitude": 13], "note": "it's"])
    #expect(try await fleet.gateway(made.id) == made)
    #expect(made.key == "gw-\(made.id)" && made.revision == 1 && made.tags == ["a", "b"])
    // A name that tokens can have is the key.
    #expect(try await fleet.add("kitchen").key == "kitchen")
    #expect(try await refusal { _ = try await fleet.add("KÜCHE") } == "nameTaken")
    #expect(try await fleet.gateway("0000000000000000") == nil)
    #expect(try await fleet.count("changes") == 2)
  }

  @Test(arguments: StorageKind.available)
  func mergesAndTellsConflicts(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let id = try await fleet.add("one", ["site": "a"]).id
    _ = try await fleet.edit(id, ["site": "b", "revision": 1])
    let (merged, isMerged, _) = try await fleet.edit(id, ["note": "n", "revision": 1])
    #expect(isMerged && merged.text("site") == "b" && merged.text("note") == "n")
    #expect(merged.revision == 3)
    do {
      _ = try await fleet.edit(id, ["site": "c", "manufacturer": "m", "revision": 1])
      Issue.record("not refused")
    } catch FleetFailure.refused(.conflicts(let conflicts, let gateway)) {
      #expect(conflicts.map(\.field) == ["site"])
      #expect(conflicts.first?.json == ["base": "a", "theirs": "b", "yours": "c"])
      // Nothing of it was done.
      #expect(gateway.text("manufacturer") == nil && gateway.revision == 3)
    }
    #expect(
      try await refusal { _ = try await fleet.edit(id, ["note": "x", "revision": 9]) }
        == "futureRevision")
    let (_, _, number) = try await fleet.edit(id, ["site": "b", "revision": 3])
    #expect(number == nil)
  }

  @Test(arguments: StorageKind.available)
  func fiftyEditorsLoseNothing(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let id = try await fleet.add("one").id
    // Each adds a tag to what it has read, and reads again when somebody was faster.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          while true {
            let seen = try #require(try await fleet.gateway(id))
            let tags = Set(seen.tags).union(["t\(number % 25)"]).sorted()
            let note = (seen.text("note") ?? "") + "[\(number)]"
            do {
              _ = try await fleet.edit(
                id,
                [
                  "tags": .array(tags.map { .string($0) }), "note": .string(note),
                  "revision": .integer(seen.revision),
                ])
              return
            } catch FleetFailure.refused(.conflicts) {}
          }
        }
      }
      try await group.waitForAll()
    }
    let end = try #require(try await fleet.gateway(id))
    #expect(end.tags.count == 25)
    for number in 0..<50 { #expect(end.text("note")?.contains("[\(number)]") == true) }
    // Every change has a number of its own, and every revision a change.
    #expect(end.revision == 51)
    #expect(try await fleet.count("changes") == 51)
  }

  @Test(arguments: StorageKind.available)
  func bulkIsOneChange(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    var ids: [String] = []
    for name in ["a", "b", "c"] { ids.append(try await fleet.add(name, ["tags": ["old"]]).id) }
    let wanted = ids + ["0000000000000000"]
    let bulk = BulkEdit(
      set: try RecordEdit(.gateway, json: ["site": "s"]), addTags: ["new"], removeTags: ["old"])
    let (number, results) = try await fleet.change { work throws(FleetFailure) in
      let (number, results) = try work.bulk(wanted, bulk)
      return (number, results)
    }
    #expect(results.map(\.status) == [.done, .done, .done, .refused])
    #expect(results.last?.code == "notFound")
    #expect(try await fleet.gateway(ids[0])?.tags == ["new"])
    // One of them was changed since: the others come back.
    _ = try await fleet.edit(ids[1], ["site": "mine"])
    let undone = try #require(try await fleet.undo(number))
    #expect(undone.map(\.status) == [.done, .refused, .done])
    #expect(undone[1].code == "changedSince")
    #expect(try await fleet.gateway(ids[0])?.tags == ["old"])
    #expect(try await fleet.gateway(ids[1])?.text("site") == "mine")
    // The second time nothing is left to take back, which is no change.
    let count = try await fleet.count("changes")
    let again = try #require(try await fleet.undo(number))
    #expect(again.map(\.code) == ["alreadyUndone", "changedSince", "alreadyUndone"])
    #expect(try await fleet.count("changes") == count)
  }

  @Test(arguments: StorageKind.available)
  func importsAllOrNothing(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    _ = try await fleet.add("taken")
    func edits(_ names: [String]) throws -> [(line: Int, edit: RecordEdit)] {
      try names.enumerated().map {
        ($0.offset + 1, try RecordEdit(.gateway, json: ["name": .string($0.element)]))
      }
    }
    let bad = try edits(["a", "Taken", "b", "A"])
    do {
      _ = try await fleet.change { work throws(FleetFailure) in try work.add(bad).change }
      Issue.record("not refused")
    } catch FleetFailure.refused(.fields(let errors)) {
      #expect(errors.errors.map(\.position) == [2, 4])
    }
    #expect(try await fleet.count("fleet") == 1)
    let good = try edits(["a", "b"])
    let number = try await fleet.change { work throws(FleetFailure) in try work.add(good).change }
    #expect(try await fleet.count("fleet") == 3)
    #expect(try await fleet.undo(number)?.count == 2)
    #expect(try await FleetDirectory(fleet.store).present().entries.count == 1)
  }

  @Test(arguments: StorageKind.available)
  func enrolsByItsLabel(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let key = try SecureRandom.secret(count: 32)
    let token = try AccessToken(.gateway)
    let offer = try EnrolmentOffer(privateKey: key, tokenDigest: try token.digest())
    let print = try GatewayPrint(publicKey: offer.publicKey)
    let admit: @Sendable (EnrolmentOffer) async throws -> Bool = { offer in
      try await fleet.change(by: "gateway") { work throws(FleetFailure) in
        try work.admit(offer, print: print).isNew
      }
    }
    #expect(try await refusal { _ = try await admit(offer) } == "notEnrolled")
    var payload = GatewayPayload(print: print)
    payload.name = "Hall"
    let label = payload
    let none = try RecordEdit(.gateway, json: [:])
    #expect(
      try await refusal {
        _ = try await fleet.change { work throws(FleetFailure) in
          try work.add(label, none, allowsNoPosition: false).change
        }
      } == "noPosition")
    let scan: @Sendable () async throws -> Gateway = {
      try await fleet.change { work throws(FleetFailure) in
        try work.add(label, none, allowsNoPosition: true).gateway
      }
    }
    let gateway = try await scan()
    #expect(gateway.id == print.id && gateway.name == "Hall")
    #expect(try await refusal { _ = try await scan() } == "alreadyEnrolled")
    // Twice at once, and again after a lost answer: one token, and the same answer.
    let news = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { try await admit(offer) } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(news == 1)
    #expect(try await fleet.storage.tokens().count == 1)
    let holder = try await fleet.storage.token(AccessToken.id(try token.digest()))
    #expect(holder?.name == print.key && holder?.revokedAt == nil)
    // Whoever has the label's picture has the print alone; another digest is refused.
    let other = try EnrolmentOffer(
      privateKey: key, tokenDigest: try AccessToken(.gateway).digest())
    #expect(try await refusal { _ = try await admit(other) } == "alreadyEnrolled")
    // Other hardware: the record stays, the token ends.
    let newKey = try SecureRandom.secret(count: 32)
    let newOffer = try EnrolmentOffer(privateKey: newKey, tokenDigest: other.tokenDigest)
    let newPrint = try GatewayPrint(publicKey: newOffer.publicKey)
    let again = try await fleet.change { work throws(FleetFailure) in
      try work.enrol(gateway.id, GatewayPayload(print: newPrint), code: nil)
    }
    #expect(again.id == gateway.id && again.key == gateway.key)
    let ended = try await fleet.storage.tokens().first
    #expect(ended?.revokedAt != nil)
    #expect(try await refusal { _ = try await admit(offer) } == "notEnrolled")
    let isNew = try await fleet.change { work throws(FleetFailure) in
      try work.admit(newOffer, print: newPrint).isNew
    }
    #expect(isNew)
    _ = try await fleet.change { work throws(FleetFailure) in try work.remove(gateway.id) }
    #expect(
      try await refusal {
        _ = try await fleet.change { work throws(FleetFailure) in
          try work.admit(newOffer, print: newPrint).isNew
        }
      } == "gatewayRemoved")
  }

  @Test(arguments: StorageKind.available)
  func keepsPictures(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let id = try await fleet.add("one").id
    let picture = try FleetPicture(stripping: Samples.webp)
    let hash = try picture.hash()
    #expect(
      try await refusal { _ = try await fleet.edit(id, ["picture": .string(hash)]) } == "fieldValue"
    )
    for _ in 0..<2 {
      try await fleet.change { work throws(FleetFailure) in try work.add(picture, hash: hash) }
    }
    #expect(try await fleet.count("pictures") == 1)
    _ = try await fleet.edit(id, ["picture": .string(hash)])
    let kept = try await fleet.store.read(at: Self.now) { work throws(FleetFailure) in
      try work.picture(hash)
    }
    #expect(kept?.bytes == picture.bytes && kept?.type == "image/webp")
    // Shown, it stays; taken off for more than a month, it goes.
    try await fleet.store.purge(at: Self.now.advanced(by: .seconds(40 * 86_400)))
    #expect(try await fleet.count("pictures") == 1)
    _ = try await fleet.edit(id, ["picture": .null])
    try await fleet.store.purge(at: Self.now.advanced(by: .seconds(20 * 86_400)))
    #expect(try await fleet.count("pictures") == 1)
    try await fleet.store.purge(at: Self.now.advanced(by: .seconds(40 * 86_400)))
    #expect(try await fleet.count("pictures") == 0)
  }

  @Test(arguments: StorageKind.available)
  func keepsDevices(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let id = try await fleet.add("kitchen").id
    let hour = Timestamp(microseconds: Self.now.microseconds / 3_600_000_000 * 3_600_000_000)
    let report = DeviceReport(
      ref: "0011223344556677", family: "ibeacon", first: hour, last: hour,
      hours: HeardHours(bits: 0b111111, at: hour), band: .near)
    for _ in 0..<2 {
      try await fleet.change { work throws(FleetFailure) in
        try work.hear([report], by: "kitchen")
        try work.hear([report], by: "nobody")
      }
    }
    let object = "\(id)/0011223344556677"
    let device = try await fleet.store.read(at: Self.now) { work throws(FleetFailure) in
      try work.device(object)
    }
    #expect(device?.report == report && device?.isStaying(at: Self.now) == true)
    let approve = try RecordEdit(.device, json: ["approved": true, "revision": 0])
    let number = try await fleet.change { work throws(FleetFailure) in
      try work.editDevice(object, approve).change
    }
    let forgotten = try await fleet.change { work throws(FleetFailure) in
      try work.setForgotten(object, Self.now, .forget)
    }
    _ = try await fleet.undo(forgotten)
    _ = try await fleet.undo(try #require(number))
    let end = try await fleet.store.read(at: Self.now) { work throws(FleetFailure) in
      try work.device(object)
    }
    #expect(end?.forgottenAt == nil && end?.isApproved == false)
    try await fleet.store.purge(at: Self.now.advanced(by: .seconds(31 * 86_400)))
    #expect(try await fleet.count("devices") == 0)
  }

  /// Reports of the hour before now, and of one to come.
  private static func reports(_ refs: Range<Int>, hoursAgo: Int64 = 0, bits: UInt32 = 0b111111)
    -> [DeviceReport]
  {
    let hour = HeardHours.beginning(of: HeardHours.hour(of: now) - hoursAgo)
    return refs.map { number in
      let digits = String(number, radix: 16)
      return DeviceReport(
        ref: String(repeating: "0", count: 16 - digits.count) + digits,
        family: number % 2 == 0 ? "ibeacon" : "unknown", first: hour, last: hour,
        hours: HeardHours(bits: bits, at: hour), band: .near)
    }
  }

  @Test(arguments: StorageKind.available)
  func countsWhatStays(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let (kitchen, hall) = (try await fleet.add("kitchen").id, try await fleet.add("hall").id)
    for key in ["kitchen", "hall"] {
      try await fleet.change { work throws(FleetFailure) in
        try work.hear(Self.reports(0..<5), by: key)
        // Too few hours, and hours that are still to come.
        try work.hear(Self.reports(5..<7, bits: 0b11111), by: key)
        try work.hear(Self.reports(7..<9, hoursAgo: -2), by: key)
      }
    }
    #expect(try await fleet.count("devices") == 14)
    let object = Self.reports(0..<1)[0].ref
    let approve = try RecordEdit(.device, json: ["approved": true, "revision": 0])
    try await fleet.change { work throws(FleetFailure) in
      _ = try work.editDevice("\(kitchen)/\(object)", approve)
      try work.hear(Self.reports(0..<5, bits: 0b1111111), by: "kitchen")
    }
    func counts(of gateway: String?) async throws -> [Int64] {
      try await fleet.store.read(at: Self.now) { work throws(FleetFailure) in
        try work.staying(of: gateway, since: Self.now.advanced(by: .seconds(-7200))).map(\.count)
      }
    }
    // Of the hour before and of the present one, each "ibeacon" and "unknown".
    #expect(try await counts(of: kitchen) == [2, 2, 2, 2])
    #expect(try await counts(of: hall) == [3, 2, 3, 2])
    #expect(try await counts(of: nil) == [5, 4, 5, 4])
    try await fleet.store.purge(at: Self.now.advanced(by: .seconds(401 * 86_400)))
    #expect(try await fleet.count("staying") == 0)
  }

  @Test(arguments: StorageKind.available)
  func keepsOnlySoManyDevices(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let id = try await fleet.add("kitchen").id
    let old = Self.reports(0..<2, hoursAgo: 30)
    let name = try RecordEdit(.device, json: ["name": "Pump", "revision": 0])
    try await fleet.change { work throws(FleetFailure) in
      try work.hear(old, by: "kitchen")
      _ = try work.editDevice("\(id)/\(old[0].ref)", name)
    }
    try await fleet.change { work throws(FleetFailure) in
      for start in stride(from: 2, to: FleetWork.deviceLimit + 2, by: DeviceReport.limit) {
        try work.hear(Self.reports(start..<start + DeviceReport.limit), by: "kitchen")
      }
    }
    let kept = try await fleet.store.read(at: Self.now) { work throws(FleetFailure) in
      try work.devices(where: "gateway = $1", [.text(id)]).map(\.report.ref)
    }
    #expect(kept.count == FleetWork.deviceLimit + 1)
    #expect(kept.contains(old[0].ref) && !kept.contains(old[1].ref))
  }

  @Test(arguments: StorageKind.available)
  func twoServersSeeEachOther(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    let (one, other) = (FleetDirectory(fleet.store), FleetDirectory(fleet.store))
    let id = try await fleet.add("a").id
    #expect(try await one.present().entries.map(\.gateway.name) == ["a"])
    #expect(try await other.present().entries.map(\.gateway.name) == ["a"])
    _ = try await fleet.edit(id, ["name": "b"])
    #expect(try await one.present().entries.map(\.gateway.name) == ["b"])
    #expect(try await other.present().entries.map(\.gateway.name) == ["b"])
  }

  @Test(arguments: StorageKind.available)
  func firstUploadMakesARecord(kind: StorageKind) async throws {
    let fleet = try await Fleet(kind)
    for _ in 0..<2 {
      try await fleet.store.adopt("Kitchen", at: Self.now)
      try await fleet.store.adopt("kitchen", at: Self.now)
    }
    let names = try await FleetDirectory(fleet.store).present().entries.map(\.gateway.name)
    #expect(names.count == 2 && names.contains("Kitchen"))
  }

  @Test(arguments: StorageKind.available)
  func presentGatewaysGetRecords(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    var tokens = try ["kitchen", "Kitchen", "hall.1"].map {
      try AccessToken(.gateway).record(name: $0, at: Self.now)
    }
    tokens.append(try AccessToken(.owner).record(name: "me", at: Self.now))
    switch place.location {
    case .sqlite(let path):
      _ = try SQLiteStorage(path: path)
      let connection = try SQLiteConnection(
        at: SQLitePlace(Database<StorageError>.place(of: path)), isReadOnly: false)
      try SQLiteSchema.migrate(connection.database, upTo: 3)
      let storage = try place.open()
      for token in tokens { try await storage.add(token) }
    case .postgreSQL(let settings):
      let connection = PostgreSQLConnection(settings)
      try PostgreSQLSchema.migrate(connection, upTo: 3)
      // As the version of that schema wrote them.
      for token in tokens {
        _ = try connection.run(
          "INSERT INTO luna.tokens(id, role, name, digest, created) VALUES($1, $2, $3, $4, $5)",
          [
            .text(token.id), .text(token.role.rawValue), .text(token.name), .bytes(token.digest),
            .integer(token.createdAt.microseconds),
          ])
      }
    }
    let storage = try place.open()
    // One that uploaded, with a token that is revoked since.
    try await storage.touch("roof", report: nil, at: Self.now)
    try await storage.migrate()
    try place.spread()
    let entries = try await FleetDirectory(FleetStore(storage: storage)).present().entries
    let names = Dictionary(uniqueKeysWithValues: entries.map { ($0.gateway.key, $0.gateway.name) })
    #expect(
      names == [
        "Kitchen": "Kitchen", "hall.1": "hall.1", "roof": "roof", "kitchen": "kitchen (2)",
      ]
        || names == [
          "Kitchen": "Kitchen (2)", "hall.1": "hall.1", "roof": "roof", "kitchen": "kitchen",
        ])
    #expect(
      entries.allSatisfy { $0.gateway.id.utf8.count == 16 && $0.gateway.createdAt == Self.now })
    #expect(Set(entries.map(\.gateway.id)).count == 4)
  }
}
