import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol
import LunaWire
import Testing

/// The documents of the backend's API, both ways.
@Suite struct BackendJSONTests {
  private let package: ControlPackage

  init() throws {
    package = try #require(
      ControlPackage("AQEACgAZVPygmGcRRxhUEUHtYGZM6Iy7ZVPxZBdHAKLUq/nNAc56xnWSSM8="))
  }

  @Test func packagesAreAsInTheProtocol() throws {
    // The anchor of PROTOCOL.md, 18.
    #expect(
      package.json.description
        == #"{"heid":"a09867114718541141ed60664ce88cbb","keyRollingCounter":1660156,"#
        + #""command":"buzzStart","argument":10,"counter":1700000100,"#
        + #""data":"AQEACgAZVPygmGcRRxhUEUHtYGZM6Iy7ZVPxZBdHAKLUq/nNAc56xnWSSM8="}"#)
    #expect(try ControlPackage(json: package.json) == package)
  }

  @Test(
    arguments: [
      ("heid", "00000000000000000000000000000000"), ("keyRollingCounter", 1_660_157),
      ("command", "blink"), ("argument", 11), ("counter", 5), ("data", "AQ=="), ("heid", nil),
      ("counter", "1700000100"),
    ] as [(String, JSONValue?)])
  func packagesThatContradictThemselvesAreRefused(name: String, value: JSONValue?) throws {
    guard case .object(var object) = package.json else {
      Issue.record("no object")
      return
    }
    object.members.removeAll { $0.name == name }
    if let value { object.append(name, value) }
    #expect(throws: FormatError.self) { try ControlPackage(json: .object(object)) }
  }

  @Test func confirmationsNeedAReceiptWhenDone() throws {
    let short = CommandConfirmation(
      requestID: "ab", heid: package.heid, outcome: .done, receipt: [6, 0, 0, 0, 0], detail: "x")
    #expect(try CommandConfirmation(json: short.json) == short)
    let failed = CommandConfirmation(requestID: "ab", heid: package.heid, outcome: .failed)
    #expect(try CommandConfirmation(json: failed.json) == failed)
    for receipt in [nil, "AAAA", ""] as [JSONValue?] {
      var object: JSONObject = [
        "requestId": "ab", "heid": .string(package.heid.description), "outcome": "done",
      ]
      if let receipt { object.append("receipt", receipt) }
      #expect(throws: FormatError.self) { try CommandConfirmation(json: .object(object)) }
    }
  }

  @Test func eventsComeBackAsTheyWere() throws {
    let event = TrackerEvent(
      heid: package.heid, encodedLocation: (0..<61).map { UInt8($0) }, esf: ESF(value: 0xA77593),
      day: Day(number: 20_778), debug: ["latitude": .real(1.5)])
    let time = try #require(Timestamp(rfc3339: "2026-11-21T10:00:00.000001Z"))
    let stored = StoredEvent(event, receivedAt: time)
    #expect(try StoredEvent(json: stored.json) == stored)
    let page = EventPage([stored], cursor: "c")
    #expect(try EventPage(json: page.json) == page)
    let query = EventQuery([event.heid], days: event.day...event.day + 3, cursor: "c")
    #expect(try EventQuery(json: query.json) == query)
  }

  @Test func repliesTellOfEveryEvent() throws {
    let request = CommandRequest(
      requestID: "ab", expiresAt: Timestamp(microseconds: 1_795_255_200_000_000),
      packages: [package])
    let reply = UploadReply(
      outcomes: [.accepted, .duplicate, .rejected(.dayExpired), .rejected(.rateLimited)],
      commandRequests: [request])
    let read = try UploadReply(json: reply.json, count: 4)
    #expect(read.outcomes == reply.outcomes)
    #expect(read.commandRequests == [request])
    #expect(throws: FormatError.self) { try UploadReply(json: reply.json, count: 5) }
    #expect(throws: FormatError.self) { try UploadReply(json: reply.json, count: 3) }
    // A command of a newer kind does not cost the rest.
    let newer: JSONValue = ["results": [], "commandRequests": [["requestId": 5], request.json]]
    #expect(try UploadReply(json: newer, count: 0).commandRequests == [request])
  }

  @Test func queriesAreBounded() {
    let heid = JSONValue.string(package.heid.description)
    func query(_ heids: JSONValue, _ from: JSONValue, _ to: JSONValue) throws -> EventQuery {
      try EventQuery(json: ["heids": heids, "from": from, "to": to])
    }
    let many = JSONValue.array([JSONValue](repeating: heid, count: 1025))
    #expect(throws: FormatError.self) { try query(many, "2026-01-01", "2026-01-01") }
    #expect(throws: FormatError.self) { try query([heid], "2026-01-02", "2026-01-01") }
    #expect(throws: FormatError.self) { try query(["A0"], "2026-01-01", "2026-01-01") }
    #expect(throws: FormatError.self) { try query([heid], "2026-01-01", 5) }
  }

  @Test func timesNeedAnOffset() throws {
    func time(_ text: String) throws -> Timestamp {
      try JSONMembers(["t": .string(text)], name: "x").time("t")
    }
    #expect(try time("2026-11-21T10:00:00Z") == time("2026-11-21t11:00:00.0+01:00"))
    for text in [
      "2026-11-21T10:00:00", "2026-11-21T10:00:00.25", "2026-11-21 10:00:00Z", "now", "",
    ] {
      #expect(throws: FormatError.self) { try time(text) }
    }
  }

  @Test func theLongestDetailOfAnOutcomeCanBeReadAgain() throws {
    let outcome = CommandOutcome(.notReached, detail: String(repeating: "é", count: 1000))
    let confirmation = CommandConfirmation(requestID: "a", heid: package.heid, outcome)
    #expect(try CommandConfirmation(json: confirmation.json) == confirmation)
  }
}
