import Foundation
import LunaTesting
import Testing

@Suite struct FishCompletionTests {
  @Test func scriptIsSound() throws {
    try Tool.inFolder { folder in
      try SampleFiles.create(in: folder)
      let result = try Tool.run("fish", package: "fish", ["--no-execute", "luna.fish"], in: folder)
      #expect(result.status == 0)
      #expect(result.errors == "")
    }
  }

  @Test(arguments: [
    ("luna sc", ["scan"]),
    ("luna ", ["scan", "decode", "report", "finder", "owner"]),
    ("luna -v sc", ["scan"]),
    ("luna --color never sc", ["scan"]),
    ("luna --color=never sc", ["scan"]),
    ("luna owner ", ["list"]),
    ("luna owner list --q", ["--quiet"]),
    ("luna finder ", ["status"]),
    ("luna finder --o", ["--once"]),
    ("luna scan --tr", ["--trackers"]),
    ("luna scan --no", ["--no-merge"]),
    ("luna scan --p", ["--passive", "--phy"]),
    ("luna scan --format ", ["table", "jsonl", "csv"]),
    ("luna scan --format=c", ["--format=csv"]),
    ("luna scan --fields r", ["rssi"]),
    ("luna scan --fields time,", ["time,address", "time,rssi", "time,name"]),
    ("luna scan --fields=time,n", ["--fields=time,name"]),
    ("luna scan --radio h", ["h4:tcp:"]),
    ("luna scan -i h", ["hci0", "hci1"]),
    ("luna scan -i hci0 --tr", ["--trackers"]),
    ("luna scan -r ca", ["cap file", "captures/"]),
    ("luna scan --state ", ["captures/", "radios/"]),
    ("luna scan --count ", []),
    ("luna scan --filter decode --tr", ["--trackers"]),
    ("luna report ca", ["cap file", "captures/"]),
    ("luna report x ca", []),
    ("luna scan ", []),
  ])
  func offers(line: String, offers: [String]) throws {
    try Tool.inFolder { folder in
      try SampleFiles.create(in: folder)
      let result = try Tool.run(
        "fish", package: "fish", ["--private", "-c", "source luna.fish; complete -C '\(line)'"],
        in: folder)
      #expect(result.errors == "")
      let words = result.output.split(separator: "\n").map {
        String($0.prefix { $0 != "\t" }).replacing("\\ ", with: " ")
      }
      #expect(words.sorted() == offers.sorted())
    }
  }

  @Test func wordsAreExplained() throws {
    try Tool.inFolder { folder in
      try SampleFiles.create(in: folder)
      let result = try Tool.run(
        "fish", package: "fish", ["-c", "source luna.fish; complete -C 'luna scan --radio '"],
        in: folder)
      #expect(result.output.contains("observe\tread what the kernel's monitor sees\n"))
    }
  }
}
