import Diagnosis
import Testing

struct RemedyTests {
  private let remedy: Remedy = "free some space, or use \(.directory); else \(.unblockRadios)"

  @Test func namesItsStepsInPlainWords() {
    #expect(
      remedy.description
        == "free some space, or use another directory; else run: sudo rfkill unblock bluetooth")
  }

  @Test func tellsItsStepsToPrograms() {
    #expect(remedy.steps == [.directory, .unblockRadios])
    #expect(Remedy("use another directory").steps.isEmpty)
  }

  @Test func differsFromItsWords() {
    let words: Remedy = "run: sudo rfkill unblock bluetooth"
    let step: Remedy = "\(.unblockRadios)"
    #expect(words.description == step.description)
    #expect(words != step)
  }

  @Test func holdsOtherRemedies() {
    let whole: Remedy = "look; \(remedy)"
    #expect(whole.steps == remedy.steps)
    #expect(("look; " + remedy).description == whole.description)
  }

  @Test func isWhatItSaysHoweverItWasMade() {
    let name = "hci0"
    #expect("there is \(name)" as Remedy == "there is hci0")
    #expect("there is " + Remedy(name) == "there is hci0")
  }

  @Test(arguments: ["a\nb", "a\u{1b}[2Jb", "a\u{202e}b"])
  func staysOnOneLine(_ text: String) {
    let remedies: [Remedy] = [Remedy(text), "see \(text)"]
    for remedy in remedies {
      #expect(remedy.description.contains("\\"))
      #expect(remedy.description.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 })
    }
  }

  @Test(arguments: [
    ("/usr/bin/luna", "/usr/bin/luna"), ("/home/a b/luna", "'/home/a b/luna'"),
    ("/it's", #"'/it'\''s'"#), ("/a'\u{301};x", #"'/a'\''\#u{301};x'"#),
  ])
  func quotesPrograms(_ path: String, _ quoted: String) {
    #expect(Remedy.Step.grantCapabilities(program: path).description.hasSuffix(" \(quoted)"))
  }
}
