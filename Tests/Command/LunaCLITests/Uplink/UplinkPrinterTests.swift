import LunaDocuments
import LunaUplink
import Testing
import UplinkProtocol

@testable import LunaCLI

/// What a check says while it runs.
struct UplinkPrinterTests {
  /// On a fast link a run is over in milliseconds.
  @Test func tellsOfFewRunsOfMany() throws {
    let output = OutputBuffer()
    let printer = UplinkPrinter(output, .jsonl, Diagnostics(quiet: true, verbosity: 0))
    for _ in 0..<1_000 {
      try printer.tell(PairLocator.Moment.run(.alone, share: 0.5), of: "luna-upload")
    }
    let lines = String(decoding: output.take(), as: UTF8.self).split(separator: "\n")
    let first = #"{"type":"progress","app":"luna-upload","state":"alone","share":0.5}"#
    #expect(lines.first.map(String.init) == first)
    #expect((1..<1_000).contains(lines.count))
  }

  @Test func tellsHowFastItIsAndWhatIsLeft() throws {
    let output = OutputBuffer()
    let printer = UplinkPrinter(output, .jsonl, Diagnostics(quiet: true, verbosity: 0))
    let moment = PairClient.Moment.slot(
      .original, done: 17, of: 34, left: 50_000_000, rate: 2_500_000)
    try printer.tell(moment, of: "luna-upload")
    let line =
      #"{"type":"progress","app":"luna-upload","state":"original","share":0.5,"#
      + #""mbps":20.0,"bytesLeft":50000000}"#
    #expect(String(decoding: output.take(), as: UTF8.self) == line + "\n")
  }

  /// How far it has come with a server is for people.
  @Test func linesTellOfReplaysAlone() throws {
    let output = OutputBuffer()
    let printer = UplinkPrinter(output, .jsonl, Diagnostics(quiet: true, verbosity: 0))
    try printer.tell(WeheClient.Moment.step(.queued), of: "Film", share: 0)
    #expect(output.take().isEmpty)
  }

  /// A server that is busy is asked again, and the check is no further then.
  @Test func tellsOfRepeatedReplays() throws {
    let output = OutputBuffer()
    let printer = UplinkPrinter(output, .jsonl, Diagnostics(quiet: true, verbosity: 0))
    for isAgain in [false, true] {
      try printer.tell(
        WeheClient.Moment.replay(isControl: true), of: "Film", share: 0, isAgain: isAgain)
    }
    let lines = String(decoding: output.take(), as: UTF8.self).split(separator: "\n")
    #expect(
      lines.map(String.init)
        == ["control", "again"].map {
          #"{"type":"progress","app":"Film","state":"\#($0)","share":0.0}"#
        })
  }
}
