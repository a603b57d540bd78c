import Bluetooth
import LunaWatch
import Testing

@testable import LunaDocuments

@Suite("What a watch has found, and where it was heard")
struct WatchLinesTests {
  private static let nothing = ListenSummary(heard: 7, shown: 0, dropped: [], duration: .seconds(2))

  private func end(isJSON: Bool, untimed: Int = 0) -> [String] {
    let output = OutputBuffer()
    let lines = WatchLines(output, isJSON: isJSON, clock: ClockText(UTCZone()))
    lines.append(WatchEngine(WatchSettings()).summary, WatchLinesTests.nothing, untimed: untimed)
    return output.lines
  }

  @Test("Reports without a time are counted, and said where there are any")
  func saysWhatHadNoTime() {
    let line = "1 report had no time that can be, and could not be judged"
    #expect(end(isJSON: false, untimed: 1).contains(line))
    #expect(end(isJSON: true, untimed: 3).first?.contains("\"untimed\":3,") == true)
  }

  @Test("Nothing found is said with what cannot be found")
  func saysWhatCannotBeFound() {
    #expect(
      end(isJSON: false) == [
        "0 alarms, 0 possible, 0 suspects, 0 notices in 0 hours and 0 trips; 0 gaps of "
          + "0 minutes in all",
        WatchLines.cannotFind,
      ])
    let lines = end(isJSON: true)
    #expect(lines.count == 1)
    #expect(lines[0].contains("\"heard\":7") && lines[0].contains("\"hours\":0,"))
    #expect(lines[0].contains("\"cannotFind\":[\"silent\","))
  }

  @Test("Places are handed out up to a time, each once")
  func handsOutPlacesOnce() {
    func fix(_ seconds: Int64) -> WatchFix {
      WatchFix(
        time: Timestamp(microseconds: seconds * 1_000_000), latitude: 52, longitude: 13)
    }
    let places = WatchPlaces([fix(1), fix(2), fix(3)])
    func seconds(until: Int64) -> [Int64] {
      var seconds: [Int64] = []
      places.take(until: Timestamp(microseconds: until * 1_000_000)) {
        seconds.append($0.time.microseconds / 1_000_000)
      }
      return seconds
    }
    #expect(seconds(until: 2) == [1, 2])
    #expect(seconds(until: 2) == [])
    #expect(seconds(until: 9) == [3])
  }
}
