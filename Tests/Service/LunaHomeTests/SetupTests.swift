import LunaCore
import Testing

@testable import LunaHome

/// What a file says of the machine.
@Suite struct SetupTests {
  private func urls(_ sdk: String) -> [String] {
    let endpoints =
      #"{"Field.Europe":{"url":"https://f"},"Staging.Europe":{"url":"https://s"},"#
      + #""Field.USA":{"url":"https://u"}}"#
    return HomeFile(#"{"sdkConfig":{\#(sdk)},"service":{"endpoints":\#(endpoints)}}"#).setup
      .endpoints.map(\.url)
  }

  @Test func dynamicTriesAllOfItsLocation() {
    #expect(urls("") == ["https://f", "https://s"])
    #expect(urls(#""serviceLocation":"USA""#) == ["https://u"])
    #expect(urls(#""serviceType":"Staging""#) == ["https://s"])
    #expect(urls(#""serviceType":"Development""#) == [])
  }

  @Test func levelsOfMessages() {
    let usual = HomeFile("{}").setup
    #expect(usual.consoleLevel == .INFO && usual.fileLevel == nil)
    let given = HomeFile(
      #"{"sdkConfig":{"consoleLogLevel":"Error","fileLogLevel":"Verbose"}}"#
    ).setup
    #expect(given.consoleLevel == .ERROR && given.fileLevel == .DEBUG)
  }
}
