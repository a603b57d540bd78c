import Testing
import UplinkProtocol

/// Whether a server has counted other bytes than were sent to it.
struct ServerCountTests {
  private func isDisputed(_ slots: [(counted: Int, arrived: ClosedRange<Int>)]) -> Bool {
    var count = ServerCount()
    for slot in slots { count.add(slot.counted, of: slot.arrived) }
    return count.isDisputed
  }

  @Test func bothCountTheSame() {
    #expect(!ServerCount().isDisputed)
    #expect(!isDisputed([(1_000, 1_000...1_000), (960, 1_000...1_000)]))
  }

  /// 8 Mbit/s and half of it over 0.1 s: a slot that was broken off has 560,000 bytes acknowledged in their order, and
  /// 190,000 on their way, most of which have come when the server is asked. That is a tenth of all.
  @Test func whatWasOnItsWayIsNoDifference() {
    #expect(!isDisputed([(882_352, 882_352...882_352), (700_000, 560_000...750_000)]))
    #expect(!isDisputed([(882_352, 882_352...882_352), (560_000, 560_000...750_000)]))
  }

  @Test func whatCannotBeIsADifference() {
    // Somebody on the way acknowledges what the server does not get.
    #expect(isDisputed([(900, 1_000...1_200)]))
    #expect(isDisputed([(0, 1_000...1_000)]))
    // More than was sent.
    #expect(isDisputed([(900, 600...800)]))
    #expect(isDisputed([(1, 0...0)]))
  }

  /// A server that is busy is asked again; one that stays behind is not, slot after slot.
  @Test func itIsWorthAskingAgain() {
    var count = ServerCount()
    #expect(count.isEarly(900, of: 1_000...1_200))
    #expect(!count.isEarly(950, of: 1_000...1_200))
    count.add(1_000, of: 1_000...1_200)
    #expect(count.isEarly(900, of: 1_000...1_200))
    count.add(900, of: 1_000...1_200)
    #expect(!count.isEarly(900, of: 1_000...1_200))
  }
}
