import CommandSpec
import Foundation
import LunaTesting
import Testing

@Suite struct RenderingTests {
  static let root = SampleProgram.root.description

  @Test(arguments: root.pages()) func help(page: CommandPage) throws {
    let text = HelpText.text(for: page)
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "too wide: \(line)") }
    #expect(!text.contains("\n\n\n"))
    #expect(!text.contains("secret"))
    for option in page.visibleOptions {
      #expect(text.contains("--\(option.long)") || text.contains("]\(option.long)"))
    }
    try Snapshot.expect(text, "\(page.manualName).help.txt")
  }

  /// On a narrow terminal lines break between words, too; only examples do not break.
  @Test(arguments: root.pages()) func helpOnANarrowTerminal(page: CommandPage) {
    let text = HelpText.text(for: page, width: 40)
    let examples = page.command.examples.map { "  \($0.line)" }
    for line in text.split(separator: "\n").map(String.init)
    where line.count > 40 && !examples.contains(line) {
      // A word that is longer stands alone.
      #expect(line.split(separator: " ").count == 1, "\(line)")
    }
    for option in page.visibleOptions {
      let start = option.help.split(separator: " ").first.map { "\n      \($0)" } ?? ""
      #expect(text.contains(start), "\(option.long)")
    }
  }

  /// mandoc finds nothing to complain about but pages that are not installed here.
  @Test(arguments: root.pages()) func manual(page: CommandPage) throws {
    let text = ManualPage.text(for: page, in: Self.root, date: "January 2, 2026")
    try Snapshot.expect(text, "\(page.manualName).1.txt")
    try Tool.inFolder { folder in
      let file = folder.appending(path: "page.1")
      try Data(text.utf8).write(to: file)
      let lint = try Tool.run(
        "mandoc", package: "mandoc", ["-T", "lint", "-W", "style", file.path], in: folder)
      let complaints = (lint.output + lint.errors).split(separator: "\n").filter {
        !$0.contains("referenced manual not found") && !$0.contains("outdated mandoc.db")
      }
      #expect(complaints == [])
      let shown = try Tool.run(
        "man", package: "man-db", ["--warnings", "-l", file.path], in: folder)
      #expect(shown.status == 0)
      #expect(shown.errors == "")
      let plain = shown.output.replacing(/.\u{8}/, with: "")
      #expect(plain.contains(page.line))
      for option in page.visibleOptions { #expect(plain.contains("--\(option.long)")) }
      for example in page.command.examples { #expect(plain.contains(example.line)) }
    }
  }

  /// A last word that is another thing than those before it is told from them.
  @Test func wordsBeforeTheLastHaveANameOfTheirOwn() {
    var command = CommandDescription("export", "Write.")
    var file = ArgumentDescription("FILE", "The file", .repeated(atLeast: 1), hint: .file)
    file.leading = "NAME"
    command.arguments = [file]
    let page = CommandPage(path: ["luna", "export"], command: command)
    #expect(
      HelpText.text(for: page).hasPrefix("Usage: luna export [OPTION ...] [NAME ...] FILE\n"))
    let manual = ManualPage.text(for: page, in: command, date: "January 2, 2026")
    #expect(manual.contains(".Op Ar NAME ...\n.Ar FILE\n"))
  }

  /// Words that mean something to roff come out as they went in.
  @Test func manualEscapes() throws {
    var command = CommandDescription("odd", ".Dd is not a date.")
    let hard = #"'quoted' \fB -- ~^` .Sh NAME "x" A . B Op Fl No e.g. this ) Xr"#
    command.discussion = [hard, ".TH first", "'\\\" comment"]
    command.groups = [
      OptionGroupDescription(
        "No Op",
        [
          OptionDescription(
            "odd", short: "N", hard, form: .value(placeholder: #"Ar|\x "A" No"#, hint: .text))
        ])
    ]
    command.examples = [Example(hard, hard)]
    let page = CommandPage(path: ["odd"], command: command)
    let text = ManualPage.text(for: page, in: command, date: "January 2, 2026")
    try Tool.inFolder { folder in
      let file = folder.appending(path: "page.1")
      try Data(text.utf8).write(to: file)
      let shown = try Tool.run("mandoc", package: "mandoc", ["-T", "utf8", file.path], in: folder)
      let plain = shown.output.replacing(/.\u{8}/, with: "")
        .split { $0.isWhitespace }.joined(separator: " ")
      #expect(plain.ranges(of: hard).count == 4, "\(plain)")
      for piece in [
        #"-N, --odd Ar|\x "A" No"#, "No Op", ".TH first", "'\\\" comment", ".Dd is not a date",
      ] {
        #expect(plain.contains(piece), "\(piece) in \(plain)")
      }
    }
  }

  @Test func dump() throws {
    let text = SpecificationDump.json(Self.root)
    try Snapshot.expect(text, "specification.json")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(object?["schema"] as? Int == 1)
    let command = object?["command"] as? [String: Any]
    let names = (command?["subcommands"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(names == ["scan", "decode", "report", "finder", "owner"])
    #expect(text.contains(#""name": "secret""#))
  }

  @Test func dumpEscapes() throws {
    let odd = "a\"\\\n\t\u{1}\u{7F}é😀."
    let text = SpecificationDump.json(CommandDescription("x", odd))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect((object?["command"] as? [String: Any])?["summary"] as? String == odd)
  }
}
