import LunaJSON
import Testing

@testable import LunaHome

/// What is kept of inputs, for a day to be judged again.
@Suite struct HomeDiaryTests {
  private func moment(_ seconds: Int64) -> Moment {
    Moment(wall: (1_800_000_000 + seconds) * 1_000_000, boot: seconds * 1_000_000)
  }

  @Test func keepsAFrameInTenSeconds() {
    var diary = HomeDiary()
    let kept = (0..<60).filter {
      diary.line(.frame(tracker: "my keys", rssi: -60, adapter: "hci0"), at: moment($0)) != nil
    }
    #expect(kept == [0, 10, 20, 30, 40, 50])
    #expect(diary.line(.frame(tracker: "u", rssi: -60, adapter: "hci0"), at: moment(55)) != nil)
  }

  @Test func framesSayWhenATrackerWasHeard() {
    var diary = HomeDiary()
    let kept = (Int64(0)..<120).filter {
      diary.line(.seen("t", at: moment($0 * 60).wall), at: moment($0 * 60)) != nil
    }
    #expect(kept == [0, 60])
  }

  @Test func whatIsKeptIsReadAgain() throws {
    var diary = HomeDiary()
    let fix = Fix(latitude: 52.5, longitude: 13.25, accuracy: 20, time: moment(1).wall, report: "x")
    let inputs: [HomeInput] = [
      .receiver(isScanning: true), .alive, .frame(tracker: "my keys", rssi: -61, adapter: "hci0"),
      .fix(tracker: "t", fix), .value(tracker: "t", property: "p", .bool(true)),
      .value(tracker: "t", property: "q", .text("a\nb")), .message("go"),
    ]
    var text = ""
    for (number, input) in inputs.enumerated() {
      let now = moment(Int64(number))
      let kept = diary.line(input, at: now)
      let line = try #require(kept)
      text += try #require(HomeDiary.expanded(line, at: now.wall)) + "\n"
    }
    let file = try ReplayFile(Array(text.utf8), who: "self")
    #expect(file.damaged == 0)
    #expect(file.entries.map(\.input) == inputs)
    #expect(file.entries.map(\.wall) == inputs.indices.map { moment(Int64($0)).wall })
  }

  @Test func whatComesFromInsideIsNotKept() {
    var diary = HomeDiary()
    for input: HomeInput in [.start, .clock, .run(rule: "r"), .snooze(rule: "r", until: nil)] {
      #expect(diary.line(input, at: moment(0)) == nil)
    }
  }
}
