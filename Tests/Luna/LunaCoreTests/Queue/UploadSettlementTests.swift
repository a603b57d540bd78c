import Bluetooth
import LunaCore
import LunaProtocol
import Testing

@Suite struct UploadSettlementTests {
  private let batch = (0..<5).map { number in
    QueuedEvent(
      id: Int64(10 + number),
      event: TrackerEvent(
        heid: HEID(high: 1, low: UInt64(number)), encodedLocation: [], esf: ESF(value: 1),
        day: Day(number: 1)),
      queuedAt: Timestamp(microseconds: 0))
  }

  @Test func goesByTheOutcomes() {
    let reply = UploadReply(
      outcomes: [
        .accepted, .duplicate, .rejected(code: "dayExpired", isPermanent: true),
        .rejected(code: "rateLimited", isPermanent: false), .rejected(.malformed),
      ], commandRequests: [])
    #expect(
      UploadSettlement(reply, of: batch)
        == UploadSettlement(
          stored: [10, 11], refused: [12: "dayExpired", 14: "malformed"], postponed: [13]))
  }

  @Test func whatIsNotToldOfIsNotStored() {
    let reply = UploadReply(outcomes: [.accepted], commandRequests: [])
    #expect(
      UploadSettlement(reply, of: batch)
        == UploadSettlement(stored: [10], postponed: [11, 12, 13, 14]))
  }

  @Test func hoursOfAnOutage() {
    var status = QueueStatus()
    status.limit = 100
    #expect(status.hoursLeft == nil)
    status.eventsPerHour = 20
    status.waiting = 40
    #expect(status.hoursLeft == 3)
    status.waiting = 200
    #expect(status.hoursLeft == 0)
    // A damaged file may say anything.
    status.limit = .min
    #expect(status.hoursLeft == 0)
  }
}
