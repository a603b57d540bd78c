import CommandSpec
import Foundation
import LunaTesting
import Testing

@Suite struct BashCompletionTests {
  /// Words as Bash splits them (at `=` and `:`), the last one being completed, and what it offers.
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    var offers: [String]
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., offers: [String]) {
      self.words = words
      self.offers = offers
    }
  }

  @Test(arguments: [
    Case("sc", offers: ["scan"]),
    Case("", offers: ["scan", "decode", "report", "finder", "owner"]),
    Case("-v", "sc", offers: ["scan"]),
    Case("--color", "never", "sc", offers: ["scan"]),
    Case("--color", "=", "never", "sc", offers: ["scan"]),
    Case("-x", "", offers: ["scan", "decode", "report", "finder", "owner"]),
    Case("owner", "", offers: ["list"]),
    Case("owner", "list", "--q", offers: ["--quiet"]),
    Case("finder", "", offers: ["status"]),
    Case("finder", "--o", offers: ["--once"]),
    Case("scan", "--tr", offers: ["--trackers"]),
    Case("scan", "--no", offers: ["--no-merge"]),
    Case("scan", "--p", offers: ["--passive", "--phy"]),
    Case("scan", "--format", "", offers: ["table", "jsonl", "csv"]),
    Case("scan", "--format", "j", offers: ["jsonl"]),
    Case("scan", "--format", "=", offers: ["table", "jsonl", "csv"]),
    Case("scan", "--format", "=", "c", offers: ["csv"]),
    Case("scan", "--fields", "r", offers: ["rssi"]),
    Case("scan", "--fields", "time,", offers: ["time,address", "time,rssi", "time,name"]),
    Case("scan", "--fields", "=", "time,n", offers: ["time,name"]),
    Case("scan", "--radio", "h", offers: ["h4:tcp:"]),
    Case("scan", "--radio", "h4", ":", offers: ["tcp:"]),
    Case("scan", "--radio", "h4", ":", "t", offers: ["tcp:"]),
    Case("scan", "-i", "h", offers: ["hci0", "hci1"]),
    Case("scan", "-i", "AA", ":", "BB", "--tr", offers: ["--trackers"]),
    Case("scan", "-r", "ca", offers: ["cap file", "captures"]),
    Case("scan", "-vqr", "ca", offers: ["cap file", "captures"]),
    Case("scan", "-rx", "--tr", offers: ["--trackers"]),
    Case("scan", "--state", "", offers: ["captures", "radios"]),
    Case("scan", "--count", "", offers: []),
    Case("scan", "--read", "x", "--trackers", "--fil", offers: ["--filter"]),
    Case("scan", "--filter", "decode", "--tr", offers: ["--trackers"]),
    Case("report", "--latitude", "1", "ca", offers: ["cap file", "captures"]),
    Case("report", "x", "ca", offers: []),
    Case("decode", "--", "--", offers: []),
    Case("decode", "", offers: []),
    Case(
      "bogus", "",
      offers: [
        "--format", "-v", "--verbose", "-q", "--quiet", "--color", "--config",
        "-h", "--help", "--version",
      ]),
  ])
  func offers(_ test: Case) throws {
    try Tool.inFolder { folder in
      try SampleFiles.create(in: folder)
      let words = test.words.map { "'\($0)'" }.joined(separator: " ")
      let script = """
        source luna.bash || exit 1
        COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
        COMP_WORDS=(luna \(words)) COMP_CWORD=\(test.words.count)
        _luna
        ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
        exit 0
        """
      let result = try Tool.run(
        "bash", package: "bash", ["--norc", "-u", "-c", script], in: folder)
      #expect(result.errors == "")
      #expect(result.status == 0)
      let offers = result.output.split(separator: "\n").map(String.init)
      #expect(offers.sorted() == test.offers.sorted())
    }
  }

  @Test func scriptIsSound() throws {
    try Tool.inFolder { folder in
      try SampleFiles.create(in: folder)
      let result = try Tool.run("bash", package: "bash", ["-n", "luna.bash"], in: folder)
      #expect(result.status == 0)
      #expect(result.errors == "")
      let check = try Tool.run(
        "bash", package: "bash", ["--norc", "-c", ". ./luna.bash; complete -p luna"], in: folder)
      #expect(check.output == "complete -F _luna luna\n")
    }
  }
}
