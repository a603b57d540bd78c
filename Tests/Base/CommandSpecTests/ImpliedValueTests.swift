import CommandSpec
import Testing

@Suite("An option that may stand alone")
struct ImpliedValueTests {
  private struct Options: Sendable {
    var profile: String?
    var words: [String] = []
  }

  private static let group = OptionGroup<Options>(
    "Options",
    [
      .value("sign-in", "[PROFILE]", "Somebody", \.profile, .text).implying("default")
        .fromEnvironment("SIGN_IN")
    ])

  /// A command without arguments, and one with some.
  private let tree: CommandNode<Options> = {
    func leaf(_ name: String, _ arguments: [Argument<Options>]) -> CommandNode<Options> {
      Command(
        name, "Do it.", initial: Options(), arguments: arguments, groups: [ImpliedValueTests.group]
      ).node { $0 }
    }
    return CommandNode(
      "tool", "Do things.", groups: [],
      subcommands: [
        leaf("plain", []), leaf("taking", [.repeated("WORD", "Words", \.words, .text)]),
      ])
  }()

  private func options(_ words: String...) throws -> Options {
    guard case .run(let match) = try tree.parse(words) else {
      Issue.record("nothing to run")
      return Options()
    }
    return try match.resolve()
  }

  @Test("Its value follows it where the word can be nothing else")
  func values() throws {
    #expect(try options("plain").profile == nil)
    #expect(try options("plain", "--sign-in").profile == "default")
    #expect(try options("plain", "--sign-in=garden").profile == "garden")
    #expect(try options("plain", "--sign-in", "garden").profile == "garden")
    let taking = try options("taking", "--sign-in", "bag")
    #expect(taking.profile == "default" && taking.words == ["bag"])
    #expect(try options("taking", "bag", "--sign-in=garden").profile == "garden")
  }
}
