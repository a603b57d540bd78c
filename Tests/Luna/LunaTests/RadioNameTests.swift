import BlueZ
import Bluetooth
import Luna
import Testing

@Suite struct RadioNameTests {
  @Test(arguments: [
    ("virtual", RadioName.virtual(seed: 1)), ("virtual:0", .virtual(seed: 0)),
    ("virtual:18446744073709551615", .virtual(seed: .max)), ("auto", .path(.auto)),
    ("exclusive", .path(.exclusive)),
  ])
  func readsWhatItIsCalled(_ text: String, _ name: RadioName) throws {
    #expect(try RadioName(text) == name)
    #expect(try RadioName(name.description) == name)
  }

  @Test(arguments: ["", "virtual:", "virtual:-1", "virtual:7x", "virtuall", "h4:", "Virtual"])
  func refusesWhatIsNoRadio(_ text: String) {
    let error = #expect(throws: SourceError.self) { try RadioName(text) }
    #expect(error?.kind == .invalid)
  }
}
