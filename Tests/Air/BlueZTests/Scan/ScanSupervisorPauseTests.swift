import Bluetooth
import Testing

@testable import BlueZ

/// A scan that its user lets pause.
@Suite struct ScanSupervisorPauseTests {
  private static let gone = SourceError(.noAdapter, "hci0 was removed")

  private func running() -> ScanSupervisor {
    var supervisor = ScanSupervisor(giveUpAfter: .seconds(120), silenceLimit: .seconds(90))
    _ = supervisor.handle(.start, at: .zero)
    _ = supervisor.handle(.opened, at: .zero)
    return supervisor
  }

  @Test func onlyTheTimeBetweenPausesCountsAsSilence() {
    var supervisor = running()
    var now = Duration.zero
    // 3 s of every 12: the 90th second without a pause comes after six minutes.
    for _ in 0..<29 {
      now += .seconds(3)
      #expect(supervisor.handle(.rest, at: now) == [.rest, .tell(.paused)])
      #expect(supervisor.handle(.rest, at: now) == [])
      #expect(supervisor.handle(.timer, at: now + .seconds(1)) == [])
      now += .seconds(9)
      #expect(supervisor.handle(.goOn, at: now).prefix(2) == [.goOn, .tell(.scanning)])
      #expect(supervisor.handle(.goOn, at: now) == [])
    }
    #expect(supervisor.handle(.timer, at: now + .milliseconds(2999)).last != .close)
    #expect(supervisor.handle(.timer, at: now + .seconds(3)).last == .close)
  }

  @Test func whatIsOpenedAnewInAPauseRestsAtOnce() {
    var supervisor = running()
    _ = supervisor.handle(.rest, at: .seconds(3))
    let fault = ScanSupervisorPauseTests.gone
    #expect(supervisor.handle(.fault(fault), at: .seconds(4)).last == .close)
    _ = supervisor.handle(.closed, at: .seconds(4))
    #expect(supervisor.handle(.timer, at: .seconds(5)) == [.open])
    #expect(
      supervisor.handle(.opened, at: .seconds(6)) == [.tell(.scanning), .rest, .tell(.paused)])
    #expect(supervisor.handle(.goOn, at: .seconds(12)).first == .goOn)
  }

  @Test func aPauseThatIsOverBeforeTheScanRunsIsNone() {
    var supervisor = ScanSupervisor(giveUpAfter: nil, silenceLimit: .seconds(90))
    _ = supervisor.handle(.start, at: .zero)
    #expect(supervisor.handle(.rest, at: .seconds(1)) == [])
    #expect(supervisor.handle(.goOn, at: .seconds(2)) == [])
    #expect(supervisor.handle(.opened, at: .seconds(3)).first == .tell(.scanning))
    #expect(supervisor.handle(.stop, at: .seconds(4)) == [.close])
  }

  @Test func aConnectionInAPauseEndsWithThePauseGoingOn() {
    var supervisor = running()
    _ = supervisor.handle(.rest, at: .seconds(3))
    #expect(
      supervisor.handle(.paused("a connection"), at: .seconds(4))
        == [.tell(.recovering(reason: "a connection"))])
    #expect(supervisor.handle(.interrupted, at: .seconds(5)) == [])
    #expect(supervisor.handle(.resumed, at: .seconds(5)) == [.tell(.paused)])
    #expect(supervisor.handle(.timer, at: .seconds(500)) == [])
    #expect(supervisor.handle(.goOn, at: .seconds(501)).prefix(2) == [.goOn, .tell(.scanning)])
  }
}
