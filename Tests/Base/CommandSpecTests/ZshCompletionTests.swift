import Foundation
import LunaTesting
import Testing

@Suite struct ZshCompletionTests {
  /// Types each line with a Tab after it into an interactive zsh on a pseudo-terminal and prints
  /// what the line became.
  static let harness = #"""
    zmodload zsh/zpty || exit 3
    zpty shell zsh -f -i || exit 3
    zpty -w shell 'PS1=; unsetopt beep zle_bracketed_paste; unset zle_bracketed_paste; stty rows 40 columns 200'
    zpty -w shell 'autoload -Uz compinit; compinit -u -D; source ./luna.zsh'
    zpty -w shell 'report() { print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N report; bindkey "^O" report'
    zpty -w shell 'bindkey "^I" complete-word; LISTMAX=0; print re""ady'
    zpty -r -m shell text '*ready*' || exit 3
    while IFS= read -r line; do
      zpty -w -n shell $line$'\t\C-O'
      zpty -r -m shell text '*<<*>>*' || exit 3
      text=${text##*<<}
      print -r -- "${text%%>>*}|"
    done <lines
    zpty -d shell
    """#

  @Test func scriptIsSound() throws {
    try Tool.inFolder { folder in
      try SampleFiles.create(in: folder)
      let result = try Tool.run("zsh", package: "zsh", ["-f", "-n", "luna.zsh"], in: folder)
      #expect(result.status == 0)
      #expect(result.errors == "")
    }
  }

  @Test(.timeLimit(.minutes(10))) func linesAreCompleted() throws {
    let lines = [
      ("luna sc", "luna scan "),
      ("luna -v sc", "luna -v scan "),
      ("luna --color never sc", "luna --color never scan "),
      ("luna owner l", "luna owner list "),
      ("luna owner list --q", "luna owner list --quiet "),
      ("luna finder st", "luna finder status "),
      ("luna finder --o", "luna finder --once "),
      ("luna scan --tr", "luna scan --trackers "),
      ("luna scan --no", "luna scan --no-merge "),
      ("luna scan --active --pa", "luna scan --active --pa"),
      ("luna scan --format j", "luna scan --format jsonl "),
      ("luna scan --format=c", "luna scan --format=csv "),
      ("luna scan --fields r", "luna scan --fields rssi,"),
      ("luna scan --fields time,n", "luna scan --fields time,name,"),
      ("luna scan --radio o", "luna scan --radio observe "),
      ("luna scan --radio h", "luna scan --radio h4:tcp:"),
      ("luna scan -i h", "luna scan -i hci"),
      ("luna scan -vir", "luna scan -vir"),
      ("luna scan -r cap\\ ", "luna scan -r cap\\ file "),
      ("luna scan --state rad", "luna scan --state radios/"),
      ("luna report captu", "luna report captures/"),
      ("luna scan --count ", "luna scan --count "),
    ]
    try Tool.inFolder { folder in
      try SampleFiles.create(in: folder)
      try Data(lines.map { $0.0 + "\n" }.joined().utf8).write(
        to: folder.appending(path: "lines"))
      let result = try Tool.run("zsh", package: "zsh", ["-f", "-c", Self.harness], in: folder)
      #expect(result.status == 0, "\(result.errors)")
      let completed = result.output.split(separator: "\n").map(String.init)
      #expect(completed.count == lines.count)
      for ((line, wanted), got) in zip(lines, completed) {
        #expect(got == wanted + "|", "after: \(line)")
      }
    }
  }
}
