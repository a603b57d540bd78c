import Foundation
import LunaTesting
import Testing

@testable import LunaHome

/// Where the file of a home is.
@Suite struct HomeFilePlaceTests {
  private let folder = TestFolder()

  private func usual(_ variables: [String: String]) -> String? {
    HomeFilePlace.usual { variables[$0] }
  }

  @Test func isInTheConfigurationOfTheUser() {
    #expect(usual(["HOME": "/home/ada"]) == "/home/ada/.config/luna/home.json")
    #expect(
      usual(["HOME": "/home/ada", "XDG_CONFIG_HOME": "/etc/ada"]) == "/etc/ada/luna/home.json")
    #expect(
      usual(["HOME": "/home/ada", "XDG_CONFIG_HOME": "relative"])
        == "/home/ada/.config/luna/home.json")
    #expect(usual(["HOME": ""]) == nil)
  }

  @Test func itsDirectoryIsMade() throws {
    let path = "\(folder.path)/a/b/home.json"
    HomeFilePlace.makeDirectory(of: path)
    try Data().write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(!HomeFilePlace.isPrivate(path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(HomeFilePlace.isPrivate(path))
  }
}
