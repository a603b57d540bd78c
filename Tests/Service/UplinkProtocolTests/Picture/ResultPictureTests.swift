import LunaJSON
import Testing

@testable import UplinkProtocol

/// Pictures of results.
struct ResultPictureTests {
  private func check(_ behaviour: SimulatedLink.Behaviour) throws -> JSONObject {
    var check = PairedCheck(.rate, seed: 3)
    var link = SimulatedLink(behaviour, seed: 3)
    var report = CheckReport(.upload, direction: "up", server: "x", isSimulated: true)
    var finding: CheckFinding?
    while finding == nil { finding = try check.take(link.slot(check.next(), .rate)) }
    report.add(try #require(finding))
    return report.json(id: "1", time: "2026-11-27T00:00:00Z")
  }

  /// How often something is in a text.
  private func count(_ part: String, in text: String) -> Int {
    text.split(separator: part, omittingEmptySubsequences: false).count - 1
  }

  @Test func showsPairsAndDistributions() throws {
    let text = ResultPicture(try check(.throttled), samples: nil).text
    #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\""))
    #expect(text.hasSuffix("</svg>") && !text.contains("<script"))
    #expect(text.contains("<title id=\"t\">throttled: luna-upload (simulated)</title>"))
    #expect(text.contains("<desc id=\"d\">original, Mbit/s: mean "))
    #expect(text.contains("prefers-color-scheme:dark"))
    #expect(count("<circle", in: text) == 10 && count("class=\"band\"", in: text) == 1)
    #expect(count("<polyline class=\"original\"", in: text) == 1)
    // It is marked, and all that is open is closed.
    #expect(text.contains(">simulated</text>"))
    #expect(count("<text", in: text) == count("</text>", in: text))
  }

  @Test func whatFailedIsNotDrawn() throws {
    let text = ResultPicture(try check(.blocked), samples: nil).text
    #expect(!text.contains("<circle") && text.contains("<polyline class=\"control\""))
    #expect(!text.contains("nan") && !text.contains("inf"))
  }

  @Test func showsReplaysOverTime() throws {
    let file = try ReplayFile(
      Array(#"{"original":[[1,2,3,4],[1,2,3,4]],"control":[[5,6,7],[1,2,3]]}"#.utf8))
    let text = ResultPicture(["verdict": "fair", "simulated": false], samples: file).text
    #expect(text.contains("<title id=\"t\">fair: imported</title>"))
    #expect(count("<polyline class=\"original\"", in: text) == 2)
    #expect(text.contains("original, Mbit/s: mean 2, median 2, low 1, high 3"))
    #expect(!text.contains("simulated"))
  }

  /// Beside pairs, the curves of a slot of each kind.
  @Test func showsAUsualSlotOverTime() throws {
    var curve = SlotCurve()
    curve.add(1_000_000, at: 1)
    let kinds: [(SlotKind, Double)] = [
      (.original, 1), (.control, 2), (.original, 3), (.control, 4),
    ]
    let rates = curve.rates
    let slots = kinds.map { kind, rate in
      SlotRecord(
        kind, .measured(rate), bytes: 1, seconds: 1, fastest: nil, curve: rate > 2 ? rates : nil)
    }
    var report = CheckReport(.upload, direction: "up", server: "x")
    #expect(report.samples == nil)
    report.add(
      CheckFinding(
        verdict: .fair, estimate: nil, power: nil, slots: slots, bytes: 4, seconds: 4))
    let samples = try ReplayFile(try #require(report.samples).bytes)
    #expect(samples.original.rates.count == 25 && samples.original.times.last == 1)
    #expect(samples.original.rates.allSatisfy { abs($0 - 8) < 1e-9 })
    let text = ResultPicture(report.json(id: "1", time: ""), samples: samples).text
    #expect(text.contains("Mbit/s over time, s"))
    // What is said of rates is that of all slots.
    #expect(text.contains("low 0"))
  }

  @Test func nothingOfOthersIsMarkup() {
    let text = ResultPicture(
      ["verdict": "<script>", "profile": "\"&\u{1}", "slots": [7, ["pair": "x"]]], samples: nil
    ).text
    #expect(text.contains("&lt;script&gt;: &quot;&amp;") && !text.contains("<script"))
  }
}
