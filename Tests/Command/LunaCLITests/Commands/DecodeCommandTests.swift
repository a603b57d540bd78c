import Foundation
import Testing

/// `luna decode`: how bytes may be written.
struct DecodeCommandTests {
  private let luna: Luna

  init() throws { luna = try Luna() }

  @Test func takesBytesAsOtherProgramsWriteThem() async throws {
    let texts = [
      "02010603030418", "0x02010603030418", "0X02010603030418", "02:01:06:03:03:04:18",
      "02-01-06-03-03-04-18", "0x02, 0x01, 0x06, 0x03, 0x03, 0x04, 0x18", "02 01 06\t0303 0418 ",
    ]
    let answer = try await luna.run(["decode"], input: texts.joined(separator: "\n"))
    #expect(answer.code == 0)
    #expect(
      answer.lines.map { $0["data"] as? String } == texts.map { _ in "02010603030418" },
      "\(answer.output)")
  }

  @Test func readsStandardInputForAHyphen() async throws {
    let answer = try await luna.run(["decode", "-"], input: "020106\n02010a\n")
    #expect(answer.lines.map { $0["data"] as? String } == ["020106", "02010a"], "\(answer.output)")
  }

  @Test(arguments: ["0x2, 0x1, 0x06, 0x06", "02x0106", "020", "0x0x02", "xx"])
  func refusesWhatIsNone(_ text: String) async throws {
    let answer = try await luna.run(["decode", text])
    #expect(answer.code == 8)
    #expect(answer.lines.first?["error"] != nil, "\(answer.output)")
  }
}
