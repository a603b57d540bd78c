import LunaHome
import LunaJSON
import Testing

@testable import LunaHomeWeb

/// What browsers are told of the app.
@Suite struct HomeAppTests {
  private func app(signInScreen: String) -> JSONValue {
    let text = """
      {"userExperience": {"homeScreen": "list", "signInScreen": "\(signInScreen)", "screens": [
        {"name": "list", "class": "DeviceList", "title": "Things"},
        {"name": "door", "class": "SignIn", "title": "Who is there?", "config": {"fontColor": "#fff"}}]}}
      """
    let file = HomeFile(Array(text.utf8))
    #expect(file.isUsable)
    return HomeApp.json(file, name: nil, isKnown: false)
  }

  /// Of the screens it is the only one that is known to who is not signed in.
  @Test func theScreenForSigningInIsThatOfTheFile() {
    let app = app(signInScreen: "door")
    #expect(app["signIn"] == ["title": "Who is there?", "config": ["fontColor": "#fff"]])
    #expect(app["screens"] == nil)
  }

  @Test(arguments: ["signIn", "list"]) func withoutOneItIsTheUsualOne(name: String) {
    #expect(app(signInScreen: name)["signIn"] == .null)
  }
}
