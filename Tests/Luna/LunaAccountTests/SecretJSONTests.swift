import LunaCrypto
import LunaJSON
import Testing

@testable import LunaAccount

@Suite("Secrets are taken out of JSON before it is read")
struct SecretJSONTests {
  @Test("Only of the outermost object, and nothing else is touched")
  func outermost() throws {
    var text = Array(
      #"{"a":{"token":"inner"},"n":"token","token":"\u0061\"\\\/z","list":["token","x"],"b":"token"}"#
        .utf8)
    let secrets = SecretJSON.take(["token"], from: &text)
    #expect(secrets["token"]?.text == #"a"\/z"#)
    guard case .object(let object) = try JSONReader.read(text) else {
      return fail("no object")
    }
    #expect(object["a"] == ["token": "inner"])
    #expect(object["n"] == "token")
    #expect(object["list"] == ["token", "x"])
    #expect(object["token"] == .string(String(repeating: " ", count: 13)))
  }

  @Test("Whatever is cut off or changed somewhere stops nothing")
  func mutations() {
    let whole = Array(#"{"token":"abc\"d\u0041","x":[{"y":"\\"}],"token":"zz"}"#.utf8)
    for end in whole.indices {
      var text = Array(whole[..<end])
      _ = SecretJSON.take(["token"], from: &text)
      #expect(text.count == end)
      for byte in Array("\"\\{}[]:,u".utf8) {
        var text = whole
        text[end] = byte
        _ = SecretJSON.take(["token"], from: &text)
      }
    }
  }
}
