import Bluetooth
import Luna
import Testing

@testable import LunaHome

struct RadioWordsTests {
  /// Who reads what the home says of its radio learns what to do, and what finds out more.
  @Test func namesWhatFindsOutMore() {
    let more = "LunaDoctor finds out more"
    #expect(SourceError(.off, "hci0 is off").toldInHome == "hci0 is off; \(more)")
    #expect(
      SourceError(.noAdapter, "there is none", remedy: "plug one in").toldInHome
        == "there is none; plug one in; \(more)")
    #expect(SourceError(.invalid, "no such path").toldInHome == "no such path")
  }
}
