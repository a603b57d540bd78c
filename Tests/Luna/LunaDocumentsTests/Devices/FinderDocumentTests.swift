import Bluetooth
import LunaCore
import LunaFinder
import LunaProtocol
import Testing

@testable import LunaDocuments

@Suite struct FinderDocumentTests {
  /// The lines of updates.
  private func lines(_ updates: [FinderUpdate]) -> [String] {
    var document = FinderDocument()
    let output = OutputBuffer(descriptor: -1)
    for update in updates { document.append(update, to: output) }
    return output.lines
  }

  @Test func saysWhatWasHeardAndUploaded() throws {
    let heid = try #require(HEID("000102030405060708090a0b0c0d0e0f"))
    let time = Timestamp(microseconds: 1_795_255_200_000_000)
    var summary = UploadSummary()
    (summary.sent, summary.accepted, summary.duplicates, summary.waiting) = (3, 2, 1, 4)
    #expect(
      lines([.found(heid: heid, rssi: -70, at: time), .uploaded(summary)]) == [
        """
        {"type":"sighting","time":"\(time.rfc3339)",\
        "heid":"000102030405060708090a0b0c0d0e0f","rssi":-70}
        """,
        """
        {"type":"upload","events":3,"accepted":2,"duplicates":1,"rejected":0,"postponed":0,\
        "commands":0,"waiting":4}
        """,
      ])
  }

  @Test func theLastLineCountsThoseBefore() throws {
    let heid = try #require(HEID("000102030405060708090a0b0c0d0e0f"))
    let last = lines([
      .found(heid: heid, rssi: nil, at: .unknown), .dropped(reason: "queueFull", count: 2),
      .dropped(reason: "diskFull", count: 1), .dropped(reason: "queueFull", count: 3),
      .ended(heard: 9, after: .milliseconds(1500)),
    ]).last
    #expect(
      last == """
        {"type":"end","heard":9,"shown":1,"dropped":{"diskFull":1,"queueFull":5},"seconds":1.5}
        """)
  }

  @Test func statesAreThoseOfAllCommandsThatListen() {
    #expect(
      lines([
        .state(.recovering(adapter: "hci0", reason: "gone")),
        .state(.underAttack(newPerMinute: 700)), .unlocated("no fix"),
      ]) == [
        #"{"type":"state","state":"recovering","adapter":"hci0","reason":"gone"}"#,
        #"{"type":"state","state":"underAttack","newPerMinute":700}"#,
        #"{"type":"location","known":false,"reason":"no fix"}"#,
      ])
  }

  /// The lines as CLI.md has them.
  @Test func saysWhatBecomesOfRegionsQueueAndProblems() throws {
    let uuid = IBeaconFrame.defaultRegions[1]
    let region = LunaRegion(uuid: uuid, index: 1)
    #expect(
      lines([
        .entered(region), .exited(region),
        .queueRenewed(reason: "it was deleted", lost: 3, setAside: "queue.db.damaged-1"),
        .queueRenewed(reason: "it was deleted", lost: 0, setAside: nil),
        .problem(FinderError(.storage, "the disk is full")),
      ]) == [
        #"{"type":"region","event":"entered","uuid":"\#(uuid)","index":1}"#,
        #"{"type":"region","event":"exited","uuid":"\#(uuid)","index":1}"#,
        """
        {"type":"queue","event":"renewed","reason":"it was deleted","lost":3,\
        "setAside":"queue.db.damaged-1"}
        """,
        #"{"type":"queue","event":"renewed","reason":"it was deleted","lost":0}"#,
        #"{"type":"problem","reason":"the disk is full"}"#,
      ])
  }
}
